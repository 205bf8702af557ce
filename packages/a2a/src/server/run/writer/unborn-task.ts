import { firstTransition } from "../../../protocol/internal.js";
import type { TaskStatus, TraceContext } from "../../../protocol/internal.js";
import type { LogEvent } from "../../../store/internal.js";
import type { LiveHandle } from "../../log/live-tasks.js";
import { isRefused } from "../../log/write.js";
import type { Draft } from "../../log/write.js";
import type { RunEnvironment } from "../../run-environment.js";
import { timestampOf } from "../../timestamp.js";
import type { Birth } from "./birth.js";
import type { Held } from "./held.js";

/** What it takes to store a new task. */
export type BirthEnvironment = Pick<RunEnvironment, "clock" | "liveTasks" | "node" | "orphans">;

/** Where, when and as part of what a task is created. */
interface BirthMoment {
  readonly node: string;
  readonly at: number;
  readonly trace: TraceContext | undefined;
}

/** The first append begins with what the run knows already: the task, its message, and its start. */
export const entriesOfBirth = 3;

/** A task that is not stored yet, and may never be: what its first append will contain. */
export class UnbornTask {
  /** The handler works, so the task begins as WORKING. */
  isWorking = false;
  /** What the handler has told so far. It will be stored together with the task. */
  readonly outputs: LogEvent[] = [];
  /** The time of the run's first event. The task is created as of then, so that no event is older than its task. */
  begunAt: number | undefined;
  readonly #birth: Birth;

  constructor(birth: Birth) {
    this.#birth = birth;
  }

  /** Stores the task, with the draft of the write that creates it. */
  async create(
    environment: BirthEnvironment,
    draft: Draft,
    trace: TraceContext | undefined,
  ): Promise<Held> {
    const { clock, liveTasks, node, orphans } = environment;
    const { identity } = this.#birth;
    let handle: LiveHandle | undefined;
    try {
      const at = this.begunAt ?? clock.now();
      const first = this.#firstDraft(draft, { node, at, trace });
      handle = liveTasks.create(identity);
      handle.live.trace = trace;
      const { epoch } = await handle.live.write(() => first);
      return { handle, epoch };
    } catch (error) {
      handle?.release();
      // The store may have committed the task, so recovery has to look at it.
      if (!isRefused(error)) orphans.add(identity.taskId);
      throw error;
    }
  }

  /** The first append: the task itself, its first message, its first run, and what that has done so far. */
  #firstDraft(draft: Draft, { node, at, trace }: BirthMoment): Draft {
    const { identity, message, call, keepsTransitions, idempotency, pushConfig, limits } =
      this.#birth;
    const { publicId: taskId, contextId } = identity;
    const { messageId } = message;
    const timestamp = timestampOf(at);
    const status: TaskStatus = { state: "TASK_STATE_SUBMITTED", timestamp };
    const events: LogEvent[] = [
      {
        kind: "task-created",
        taskId,
        contextId,
        status,
        ...(keepsTransitions && { metadata: firstTransition(status) }),
      },
      { kind: "message-added", message },
      { kind: "run-started", run: 1, messageId, call, ...(trace !== undefined && { trace }) },
    ];
    if (this.isWorking) {
      events.push({ kind: "status-changed", status: { state: "TASK_STATE_WORKING", timestamp } });
    }
    events.push(...this.outputs, ...draft.events);
    return {
      events,
      node: draft.node === undefined ? node : draft.node,
      messageIds: [messageId],
      ...(idempotency !== undefined && { idempotency }),
      ...(pushConfig !== undefined && { pushConfig }),
      ...(limits !== undefined && { limits }),
    };
  }
}
