import type { StreamEvent } from "../agent-service.js";
import type { StreamResponse } from "../stream-response.js";
import type { Span } from "./tracer.js";
import { describeTask } from "./call-spans.js";
import { attribute, spanEvent } from "./names.js";
import type { IteratorObserver } from "./observed-iterator.js";

/** Sees the events of one stream for its span. An event costs a few comparisons, and allocates nothing. */
export class StreamObserver implements IteratorObserver<StreamEvent> {
  readonly #span: Span;
  #events = 0;
  #taskId: string | undefined;
  #contextId: string | undefined;
  #state: string | undefined;

  constructor(span: Span) {
    this.#span = span;
  }

  begin<R>(read: () => R): R {
    return this.#span.within(read);
  }

  value({ response }: StreamEvent): void {
    this.see(response);
  }

  see({ task, statusUpdate }: StreamResponse): void {
    this.#events += 1;
    if (this.#events === 1) this.#span.event(spanEvent.first);
    if (statusUpdate !== undefined) {
      this.#state = statusUpdate.status.state;
      this.#taskId ??= statusUpdate.taskId;
      this.#contextId ??= statusUpdate.contextId;
    } else if (task !== undefined) {
      this.#state = task.status.state;
      this.#taskId ??= task.id;
      this.#contextId ??= task.contextId;
    }
  }

  over(error?: unknown): void {
    const span = this.#span;
    span.set({ [attribute.events]: this.#events });
    if (this.#taskId !== undefined) {
      span.set(describeTask(this.#taskId, this.#contextId, this.#state));
    }
    if (error !== undefined) span.fail(error);
    span.end();
  }
}
