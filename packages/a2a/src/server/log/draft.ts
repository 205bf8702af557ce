import { isSettled } from "../../protocol/internal.js";
import type { TaskFold, Writable } from "../../protocol/internal.js";
import type { Append, LogEvent, NewTask } from "../../store/internal.js";
import { weigh } from "./weigh.js";

/** What a writer adds to a task. */
export interface Draft extends Pick<Append, "node" | "messageIds" | "idempotency" | "pushConfig"> {
  readonly events: readonly LogEvent[];
  /** What the events weigh, where the writer has found out. */
  readonly bytes?: number;
}

/** Where a task's log stands, and its fold with the drafts in it. */
interface Ground {
  readonly origin: NewTask & { readonly taskId: string };
  readonly sequence: number;
  readonly epoch: number;
  readonly checkpointAt: number;
  readonly fold: TaskFold;
  /** Absent: nobody is notified of anything. */
  readonly notifyAt: number | undefined;
}

/** The fewest entries that a checkpoint of a task at work stands for. */
const minTail = 1024;

/** One append of several drafts. Made for every commit, so it goes over them once. */
export function assembleAppend(drafts: readonly Draft[], ground: Ground): Append {
  const { origin, sequence, epoch, checkpointAt, fold, notifyAt } = ground;
  const events: LogEvent[] = [];
  let hasStatus = false;
  const append: Writable<Append> = {
    taskId: origin.taskId,
    expectedSequence: sequence,
    epoch,
    events,
  };
  for (const draft of drafts) {
    for (const event of draft.events) {
      events.push(event);
      hasStatus ||= event.kind === "status-changed" || event.kind === "task-created";
    }
    if (draft.node !== undefined) append.node = draft.node;
    if (draft.messageIds !== undefined) {
      append.messageIds = [...(append.messageIds ?? []), ...draft.messageIds];
    }
    if (draft.idempotency !== undefined) append.idempotency ??= draft.idempotency;
    if (draft.pushConfig !== undefined) append.pushConfig ??= draft.pushConfig;
  }
  if (sequence === 0) {
    const { owner, agent, contextId, origin: dialect } = origin;
    append.create = { owner, agent, contextId, origin: dialect };
  }
  const { state, timestamp } = fold.status;
  if (hasStatus && timestamp !== undefined) append.status = { state, at: Date.parse(timestamp) };
  // A checkpoint is worth writing when it is much shorter than the entries it stands for. So reading a
  // task costs what the task weighs, and a stream of chunks, which are all still there, is not written twice.
  const tail = sequence + events.length - checkpointAt;
  const isDue = tail >= minTail && tail >= 2 * fold.size;
  if (isDue || (hasStatus && isSettled(state))) {
    append.checkpoint = fold.task();
    append.bytes = weigh(append.checkpoint);
  }
  if (notifyAt !== undefined) append.notifyAt = notifyAt;
  return append;
}
