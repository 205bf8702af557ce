import type { Task, TaskState } from "../protocol/internal.js";
import type { LogEntry } from "./log-event.js";

/** Whom a task belongs to. Everything a caller can reach is within one of these. */
export interface Owner {
  readonly tenant: string;
  readonly subject: string;
}

/** What is known of a task without reading its log. Times are milliseconds since 1970. */
export interface TaskRecord {
  readonly taskId: string;
  readonly owner: Owner;
  /** The agent that works on it; stores are shared by agents. */
  readonly agent: string;
  readonly contextId: string;
  /** The dialect of the call that created it. */
  readonly createdIn: string;
  readonly state: TaskState;
  readonly statusAt: number;
  /** The sequence of the log's last entry. */
  readonly sequence: number;
  /** Raised whenever the right to write changes hands. */
  readonly epoch: number;
  /** The node whose lease the task is under. */
  readonly node?: string;
}

/** A task as far as it was folded, and up to which entry. */
export interface Checkpoint {
  readonly sequence: number;
  readonly task: Task;
}

/** Everything needed to know a task: its record, the last checkpoint, and the entries after that. */
export interface StoredTask {
  readonly record: TaskRecord;
  readonly checkpoint?: Checkpoint;
  readonly tail: readonly LogEntry[];
}
