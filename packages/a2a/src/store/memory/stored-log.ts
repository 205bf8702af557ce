import type { LogEntry, LogEvent } from "../log-event.js";
import type { Head } from "../store-conflict.js";
import type { Checkpoint, StoredTask, TaskContent, TaskRecord } from "../task-record.js";
import { weigh } from "../weigh.js";
import type { ListTasksQuery, TaskPage } from "../task-store.js";
import { compareStrings } from "./sorted-list.js";

/** One task in memory. */
export interface StoredLog {
  /**
   * Frozen and replaced, never changed, so that it can be returned to callers. Its `sequence` may be behind, so
   * that a chunk of a stream needs no new record; read it with `recordOf`.
   */
  record: TaskRecord;
  readonly events: LogEvent[];
  /** When each event was committed. */
  readonly times: number[];
  checkpoint: Checkpoint | undefined;
  summary: StoredSummary | undefined;
}

interface StoredSummary extends Checkpoint {
  readonly omits: readonly TaskContent[];
}

/** The entries after a sequence. They share the appended events, which are immutable by convention. */
export function entriesOf(
  { events, times }: StoredLog,
  after: number,
  limit: number = Infinity,
): LogEntry[] {
  return events
    .slice(after, after + limit)
    .map((event, index) => ({ sequence: after + index + 1, at: times[after + index] ?? 0, event }));
}

/** Where the log stands. */
export function headOf({ record, events }: StoredLog): Head {
  return { sequence: events.length, epoch: record.epoch, state: record.state };
}

/** Tails that may be cut have at most this many entries, which take no memory of their own. */
const cutTail = 1024;

export function toStoredTask(
  log: StoredLog,
  maxBytes: number = Infinity,
  omits: readonly TaskContent[] = [],
): StoredTask {
  const checkpoint = checkpointOf(log, omits);
  const tail = entriesOf(
    log,
    checkpoint?.sequence ?? 0,
    maxBytes === Infinity ? Infinity : cutTail,
  );
  return { record: recordOf(log), ...(checkpoint !== undefined && { checkpoint }), tail };
}

/** The latest checkpoint, or the summary if that is later and has all that is wanted. */
function checkpointOf(
  { checkpoint, summary }: StoredLog,
  omits: readonly TaskContent[],
): Checkpoint | undefined {
  if (summary === undefined || (checkpoint?.sequence ?? 0) >= summary.sequence) return checkpoint;
  if (summary.omits.some((content) => !omits.includes(content))) return checkpoint;
  return { sequence: summary.sequence, task: summary.task };
}

/** The first tasks up to a size, but at least one. They are all in memory, so only what is wanted of them counts. */
export function cutPage(
  logs: readonly StoredLog[],
  { maxBytes = Infinity, omits = [] }: Pick<ListTasksQuery, "maxBytes" | "omits">,
): Pick<TaskPage, "tasks" | "isCut"> {
  const tasks: StoredTask[] = [];
  let bytes = 0;
  for (const log of logs) {
    const stored = toStoredTask(log, maxBytes, omits);
    if (maxBytes < Infinity) bytes += weigh(stored.checkpoint) + weigh(stored.tail);
    if (bytes > maxBytes && tasks.length > 0) return { tasks, isCut: true };
    tasks.push(stored);
  }
  return { tasks };
}

/** The record as of the last entry of the log. */
export function recordOf(log: StoredLog): TaskRecord {
  const sequence = log.events.length;
  if (log.record.sequence !== sequence) log.record = Object.freeze({ ...log.record, sequence });
  return log.record;
}

type Place = Pick<TaskRecord, "statusAt" | "taskId">;

/** Orders from the earliest status to the latest: the reverse of the order of lists. */
export function comparePlaces(left: Place, right: Place): number {
  return left.statusAt - right.statusAt || compareStrings(left.taskId, right.taskId);
}

export function compareByStatus(left: StoredLog, right: StoredLog): number {
  return comparePlaces(left.record, right.record);
}

/** Sorts tasks in the order of a list. */
export function sortedAs(logs: readonly StoredLog[], { order }: ListTasksQuery): StoredLog[] {
  return logs.toSorted((left, right) =>
    order === "oldest" ? compareByStatus(left, right) : compareByStatus(right, left),
  );
}
