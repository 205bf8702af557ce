import type { LogEntry, LogEvent } from "../log-event.js";
import type { Checkpoint, StoredTask, TaskRecord } from "../task-record.js";
import { compareStrings } from "./sorted-list.js";

/** One task as it is kept. */
export interface StoredLog {
  /**
   * Frozen and replaced, never changed, so that it can be handed out. Where its log has ended is for `recordOf`
   * to say: a chunk of a stream makes no new one.
   */
  record: TaskRecord;
  readonly events: LogEvent[];
  checkpoint: Checkpoint | undefined;
  /** What its owner is charged with. */
  bytes: number;
}

/** Entries share the events that were appended: those are immutable by convention. */
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

/** The record as of the log's last entry. */
export function recordOf(log: StoredLog): TaskRecord {
  const sequence = log.events.length;
  if (log.record.sequence !== sequence) log.record = Object.freeze({ ...log.record, sequence });
  return log.record;
}

type Place = Pick<TaskRecord, "statusAt" | "taskId">;

/** From the earliest status to the latest: the order of lists, backwards. */
export function comparePlaces(left: Place, right: Place): number {
  return left.statusAt - right.statusAt || compareStrings(left.taskId, right.taskId);
}

export function compareByStatus(left: StoredLog, right: StoredLog): number {
  return comparePlaces(left.record, right.record);
}
