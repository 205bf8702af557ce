import type { Task, TaskState } from "../protocol/internal.js";
import type { LogEntry } from "./log-event.js";

/** The owner of a task. Callers reach only tasks of their own owner; operators excepted. */
export interface Owner {
  readonly tenant: string;
  readonly subject: string;
}

/** What an owner has with one agent. Several agents may share a store, and one knows nothing of another's. */
export interface Scope extends Owner {
  readonly agent: string;
}

/** What a store knows of a task without reading its log. Times are milliseconds since 1970. */
export interface TaskRecord {
  readonly taskId: string;
  readonly owner: Owner;
  /** The agent that works on the task. Several agents may share a store. */
  readonly agent: string;
  readonly contextId: string;
  /** The dialect of the call that created the task. */
  readonly createdIn: string;
  readonly state: TaskState;
  readonly statusAt: number;
  /** The sequence of the last entry of the log. */
  readonly sequence: number;
  /** The approximate size of the task, as the last append that named one said. */
  readonly bytes: number;
  /** The right to write: raised by every claim, and appends under an earlier epoch are refused. */
  readonly epoch: number;
  /** The node under whose lease the task is. */
  readonly node?: string;
}

/** A task as of an entry of its log. */
export interface Checkpoint {
  readonly sequence: number;
  readonly task: Task;
}

/** A part of a task that is often large, and that many readers can do without. */
export type TaskContent = "artifacts" | "history";

/** A task without some of its content, for lists. */
export interface Summary {
  readonly task: Task;
  readonly omits: readonly TaskContent[];
}

/** A task as it is stored: its record, the last checkpoint, and the entries after that. */
export interface StoredTask {
  readonly record: TaskRecord;
  /** Without what a list was asked to omit, if the store has kept such a summary. */
  readonly checkpoint?: Checkpoint;
  /**
   * The entries after the checkpoint. Only the first of them, or none, where they are larger than was asked for:
   * `read` returns the others, up to the sequence of the record.
   */
  readonly tail: readonly LogEntry[];
}
