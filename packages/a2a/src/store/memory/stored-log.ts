import type { LogEntry } from "../log-event.js";
import type { Checkpoint, StoredTask, TaskRecord } from "../task-record.js";
import { compareStrings } from "./sorted-list.js";

/** One task as it is kept. The record is frozen and replaced, never changed; so it can be handed out. */
export interface StoredLog {
  record: TaskRecord;
  readonly entries: LogEntry[];
  checkpoint: Checkpoint | undefined;
}

/** Entries share the events that were appended: those are immutable by convention. The array is new. */
export function toStoredTask({ record, entries, checkpoint }: StoredLog): StoredTask {
  const tail = entries.slice(checkpoint?.sequence ?? 0);
  return { record, ...(checkpoint !== undefined && { checkpoint }), tail };
}

/** From the earliest status to the latest: a list of tasks backwards. */
export function compareByStatus(left: StoredLog, right: StoredLog): number {
  return (
    left.record.statusAt - right.record.statusAt ||
    compareStrings(left.record.taskId, right.record.taskId)
  );
}
