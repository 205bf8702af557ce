import { attribute, spanName } from "../../protocol/tracing/internal.js";
import type { Span, TraceContext, Tracer } from "../../protocol/internal.js";
import type { QueuedByRun } from "../log/notifier.js";
import { publicTaskId } from "../log/task-identity.js";

/** Of how many tasks a node remembers what has queued their notifications. */
const maxRemembered = 1000;

/**
 * The spans of push notifications: one where they are queued, and one for each attempt to send them, which links to the
 * first. An attempt of another node, or a late one, links to the run that began the task.
 */
export class PushSpans {
  readonly #tracer: Tracer;
  readonly #queued = new Map<string, TraceContext>();

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  queued({ taskId, trace, queued }: QueuedByRun): void {
    const span = this.#tracer.startSpan(spanName.push, {
      kind: "producer",
      parent: trace,
      attributes: {
        [attribute.taskId]: publicTaskId(taskId),
        [attribute.pushQueued]: queued,
      },
    });
    span.end();
    const { context } = span;
    this.#queued.delete(taskId);
    if (context !== undefined) this.#queued.set(taskId, context);
    for (const first of this.#queued.keys()) {
      if (this.#queued.size <= maxRemembered) break;
      this.#queued.delete(first);
    }
  }

  async attempt(
    taskId: string,
    attempt: number,
    begunBy: () => Promise<TraceContext | undefined>,
  ): Promise<Span> {
    const origin = this.#queued.get(taskId) ?? (await begunBy());
    return this.#tracer.startSpan(spanName.pushAttempt, {
      kind: "client",
      isRoot: true,
      links: origin === undefined ? [] : [origin],
      attributes: {
        [attribute.taskId]: publicTaskId(taskId),
        [attribute.httpMethod]: "POST",
        [attribute.pushAttempt]: attempt,
      },
    });
  }
}
