import { isSettled } from "../../protocol/internal.js";
import type { TaskFold, Writable } from "../../protocol/internal.js";
import type { Append, LogEvent } from "../../store/internal.js";
import type { TaskIdentity } from "./task-identity.js";
import { weigh } from "./weigh.js";

/** What a write adds to a task. */
export interface Draft extends Pick<Append, "node" | "messageIds" | "idempotency" | "pushConfig"> {
  readonly events: readonly LogEvent[];
  /** The weight of the events, where the writer has computed it. */
  readonly bytes?: number;
}

/** Where a task's log stands before an append. */
interface LogPosition {
  readonly identity: TaskIdentity;
  readonly sequence: number;
  readonly epoch: number;
  readonly checkpointAt: number;
}

/** The fewest entries that make a checkpoint of a working task worth writing. */
const minTail = 1024;

/**
 * Assembles one append of several drafts, which the fold contains already. Runs for every commit, so it goes over
 * the drafts once. `notifyAt` is when push notifications of the events are due; without it none are sent.
 */
export function assembleAppend(
  drafts: readonly Draft[],
  { identity, sequence, epoch, checkpointAt }: LogPosition,
  fold: TaskFold,
  notifyAt: number | undefined,
): Append {
  const events: LogEvent[] = [];
  let hasStatus = false;
  const append: Writable<Append> = {
    taskId: identity.taskId,
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
    const { owner, agent, contextId, createdIn } = identity;
    append.create = { owner, agent, contextId, createdIn };
  }
  const { state, timestamp } = fold.status;
  if (hasStatus && timestamp !== undefined) append.status = { state, at: Date.parse(timestamp) };
  // A checkpoint is worth writing when it is much shorter than the entries it replaces. Reading a task then
  // costs what the task weighs, and a stream of chunks that the task still holds is not written twice.
  const tail = sequence + events.length - checkpointAt;
  const isDue = tail >= minTail && tail >= 2 * fold.size;
  if (isDue || (hasStatus && isSettled(state))) {
    append.checkpoint = fold.task();
    append.bytes = weigh(append.checkpoint);
  }
  if (notifyAt !== undefined) append.notifyAt = notifyAt;
  return append;
}
