import type { TaskState } from "../protocol/internal.js";
import type { Append } from "./append.js";
import type { LogEntry } from "./log-event.js";
import type { Owner, StoredTask, TaskRecord } from "./task-record.js";

/** Which tasks to list, and which page of them. */
export interface ListTasksQuery {
  /** Absent: every owner's, of one tenant or of all. Only operators list like that. */
  readonly owner?: Owner;
  /** Every owner's of this tenant; without an owner, and only then. */
  readonly tenant?: string;
  readonly agent: string;
  readonly contextId?: string;
  readonly state?: TaskState;
  /** Tasks whose status changed at this moment or later. */
  readonly statusSince?: number;
  /**
   * The last task of the page before, which need not exist any more. The list goes from the latest status
   * to the earliest, and among equals from the highest id to the lowest, so that what follows is one
   * comparison: `(statusAt, taskId) < after`.
   */
  readonly after?: { readonly statusAt: number; readonly taskId: string };
  readonly limit: number;
}

/** One page of a list of tasks. */
export interface TaskPage {
  readonly tasks: readonly StoredTask[];
  /** How many tasks match, over all pages. */
  readonly totalSize: number;
}

/**
 * Tasks as logs. Every write is durable when its promise resolves, as far as the store is; none is
 * visible before. A store may be shared by many nodes: nothing here assumes to be alone.
 *
 * Ids are any well-formed Unicode without control characters. How they compare is the store's own, as
 * long as it is always the same; ASCII goes by its codes.
 *
 * What is inside events, tasks, messages and configurations is immutable by convention, so a store may
 * keep and share those objects. Arrays and records it does not share: callers may reuse theirs.
 */
export interface TaskStore {
  /** Answers how many notifications were queued. */
  append(append: Append): Promise<number>;
  /** The entries after a sequence, in order, at most `limit`; empty for an unknown task. */
  read(taskId: string, after: number, limit: number): Promise<readonly LogEntry[]>;
  load(taskId: string): Promise<StoredTask | undefined>;
  loadRecord(taskId: string): Promise<TaskRecord | undefined>;
  list(query: ListTasksQuery): Promise<TaskPage>;
  /** The task to which an owner's message led. */
  findByMessageId(owner: Owner, messageId: string): Promise<string | undefined>;
  /**
   * Deletes tasks that ended before a moment, with all that belongs to them: log, configurations,
   * deliveries, idempotency keys, message ids. At most `limit` in one short transaction; answers how many.
   */
  deleteEnded(before: number, limit: number): Promise<number>;
}
