import type { LogEntry } from "../log-event.js";
import type { Checkpoint, StoredTask, TaskRecord } from "../task-record.js";
import { compareStrings } from "./sorted-list.js";

/** One task as it is kept. The record is frozen and replaced, never changed; so it can be handed out. */
export interface StoredLog {
  record: TaskRecord;
  readonly entries: LogEntry[];
  checkpoint: Checkpoint | undefined;
  /** What its owner is charged with. */
  bytes: number;
}

/** Entries share the events that were appended: those are immutable by convention. The array is new. */
export function toStoredTask({ record, entries, checkpoint }: StoredLog): StoredTask {
  const tail = entries.slice(checkpoint?.sequence ?? 0);
  return { record, ...(checkpoint !== undefined && { checkpoint }), tail };
}

type Place = Pick<TaskRecord, "statusAt" | "taskId">;

/** From the earliest status to the latest: the order of lists, backwards. */
export function comparePlaces(left: Place, right: Place): number {
  return left.statusAt - right.statusAt || compareStrings(left.taskId, right.taskId);
}

export function compareByStatus(left: StoredLog, right: StoredLog): number {
  return comparePlaces(left.record, right.record);
}
