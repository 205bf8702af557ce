import { isSettled } from "../protocol/index.js";
import type { TaskFold } from "../protocol/index.js";
import type { Append, LogEvent, NewTask } from "../store/index.js";
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

/** One append of several drafts. */
export function assembleAppend(drafts: readonly Draft[], ground: Ground): Append {
  const { origin, sequence, epoch, checkpointAt, fold, notifyAt } = ground;
  const { taskId, owner, agent, contextId, origin: dialect } = origin;
  const events = drafts.flatMap((draft) => draft.events);
  const lease = drafts.findLast((draft) => draft.node !== undefined);
  const idempotency = drafts.find((draft) => draft.idempotency !== undefined)?.idempotency;
  const pushConfig = drafts.find((draft) => draft.pushConfig !== undefined)?.pushConfig;
  const messageIds = drafts.flatMap((draft) => draft.messageIds ?? []);
  const { state, timestamp } = fold.status;
  const hasStatus = events.some(({ kind }) => kind === "status-changed" || kind === "task-created");
  const length = sequence + events.length;
  // A checkpoint is worth writing when it is much shorter than the entries it stands for. So reading a
  // task costs what the task weighs, and a stream of chunks, which are all still there, is not written twice.
  const tail = length - checkpointAt;
  const isDue = tail >= minTail && tail >= 2 * fold.size;
  const isResting = hasStatus && isSettled(state);
  const checkpoint = isDue || isResting ? fold.task() : undefined;
  return {
    taskId,
    expectedSequence: sequence,
    epoch,
    events,
    ...(sequence === 0 && { create: { owner, agent, contextId, origin: dialect } }),
    ...(hasStatus && timestamp !== undefined && { status: { state, at: Date.parse(timestamp) } }),
    ...(lease?.node !== undefined && { node: lease.node }),
    ...(checkpoint !== undefined && { checkpoint, bytes: weigh(checkpoint) }),
    ...(messageIds.length > 0 && { messageIds }),
    ...(idempotency !== undefined && { idempotency }),
    ...(pushConfig !== undefined && { pushConfig }),
    ...(notifyAt !== undefined && { notifyAt }),
  };
}
