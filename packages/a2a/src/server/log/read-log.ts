import type {
  LogEntry,
  LogEvent,
  StoredTask,
  TaskRecord,
  TaskStore,
} from "../../store/internal.js";
import type { Reach } from "./follower.js";
import { largeBytes } from "./fold-stored.js";
import { LogWentBack } from "./log-went-back.js";
import { TaskGone } from "./task-gone.js";
import type { TaskReplica } from "./task-replica.js";

/** How many entries are read at a time. */
export const pageSize = 1000;

/** Where a log stands, and the state of its task there. */
type Place = Pick<TaskRecord, "sequence" | "epoch" | "state">;

function placeOf({ sequence, epoch, state }: TaskReplica): Place {
  return { sequence, epoch, state };
}

/**
 * The store has lost entries that this node knows. Another node may have written others in their place: a log of the same
 * length that leads to another state is another log, and nothing else would tell those who watch the old one.
 */
function hasGoneBack(stored: Place, known: Place): boolean {
  if (stored.sequence < known.sequence || stored.epoch < known.epoch) return true;
  return stored.sequence === known.sequence && stored.state !== known.state;
}

/** Where the log of a task stands in the store. */
export async function readHead(
  store: Pick<TaskStore, "loadRecord">,
  replica: TaskReplica,
): Promise<Reach> {
  const { taskId, publicId } = replica.identity;
  // The replica may learn of a claim while the store is read.
  const known = placeOf(replica);
  const record = await store.loadRecord(taskId);
  if (record === undefined) throw new TaskGone(taskId);
  if (hasGoneBack(record, known)) throw new LogWentBack(publicId);
  return record;
}

/** The task of a replica as the store has it. */
export async function readStored(
  store: Pick<TaskStore, "load">,
  replica: TaskReplica,
): Promise<StoredTask> {
  const { taskId, publicId } = replica.identity;
  const known = placeOf(replica);
  const stored = await store.load(taskId, largeBytes);
  if (stored === undefined) throw new TaskGone(taskId);
  if (hasGoneBack(stored.record, known)) throw new LogWentBack(publicId);
  return stored;
}

/**
 * The stored events that the replica does not have yet, up to a sequence at which the log is known to be. Shows the first of
 * them, which is the one that has waited longest.
 */
export async function readMissing(
  store: Pick<TaskStore, "read" | "loadRecord">,
  replica: TaskReplica,
  upTo: number,
  show?: (first: LogEntry) => void,
): Promise<readonly LogEvent[]> {
  const { taskId, publicId } = replica.identity;
  const events: LogEvent[] = [];
  let after = replica.sequence;
  while (after < upTo) {
    const limit = Math.min(pageSize, upTo - after);
    const page = await store.read(taskId, after, limit, largeBytes);
    if (page.length === 0) {
      await readHead(store, replica);
      throw new LogWentBack(publicId);
    }
    if (after === replica.sequence && page[0] !== undefined) show?.(page[0]);
    for (const { event } of page) events.push(event);
    after += page.length;
  }
  return events;
}
