import type { LogEntry, LogEvent } from "../log-event.js";
import type { Checkpoint, StoredTask, TaskRecord } from "../task-record.js";
import { compareStrings } from "./sorted-list.js";

/** One task in memory. */
export interface StoredLog {
  /**
   * Frozen and replaced, never changed, so that it can be returned to callers. Its `sequence` may be behind, so
   * that a chunk of a stream needs no new record; read it with `recordOf`.
   */
  record: TaskRecord;
  readonly events: LogEvent[];
  checkpoint: Checkpoint | undefined;
  /** The size that counts for the usage of the owner. */
  bytes: number;
}

/** The entries after a sequence. They share the appended events, which are immutable by convention. */
export function entriesOf(
  { events }: StoredLog,
  after: number,
  limit: number = Infinity,
): LogEntry[] {
  return events
    .slice(after, after + limit)
    .map((event, index) => ({ sequence: after + index + 1, event }));
}

export function toStoredTask(log: StoredLog): StoredTask {
  const { checkpoint } = log;
  const tail = entriesOf(log, checkpoint?.sequence ?? 0);
  return { record: recordOf(log), ...(checkpoint !== undefined && { checkpoint }), tail };
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
