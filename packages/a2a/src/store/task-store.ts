import type { TaskState } from "../protocol/internal.js";
import type { Append, Appended } from "./append.js";
import type { LogEntry } from "./log-event.js";
import type { Owner, Scope, StoredTask, TaskContent, TaskRecord } from "./task-record.js";

/** Which tasks to list, and which page of them. */
export interface ListTasksQuery {
  /** Absent: lists the tasks of all owners, in one tenant or in all. For operators only. */
  readonly owner?: Owner;
  /** Lists the tasks of all owners in this tenant. Only without `owner`. */
  readonly tenant?: string;
  readonly agent: string;
  readonly contextId?: string;
  readonly state?: TaskState;
  /** Lists only tasks whose status changed at this time or later. */
  readonly statusSince?: number;
  /** `oldest` turns the order around, for operators who look for what waits longest. Absent: `latest`. */
  readonly order?: "latest" | "oldest";
  /**
   * The last task of the page before; it may have been deleted since. The order is from the latest status to the
   * earliest, then from the highest id to the lowest, so that the rest of the list is one comparison:
   * `(statusAt, taskId) < after`. With the oldest first it is the other way around.
   */
  readonly after?: { readonly statusAt: number; readonly taskId: string };
  readonly limit: number;
  /** Ends the page before the task that would exceed this size, but not before the first; cuts its tails, too. */
  readonly maxBytes?: number;
  /** What the reader does without. The store may use a summary that omits this, or part of it. */
  readonly omits?: readonly TaskContent[];
}

/** One page of a list of tasks. */
export interface TaskPage {
  readonly tasks: readonly StoredTask[];
  /** True when `maxBytes` has ended the page. */
  readonly isCut?: boolean;
  /** How many tasks match, over all pages. */
  readonly totalSize: number;
}

/**
 * Tasks as logs. A write is durable (as far as the store is durable) when its promise resolves, and invisible
 * before that. Many nodes may share a store.
 *
 * Ids are well-formed Unicode without control characters. A store may order them in its own way as long as the
 * order never changes; ASCII is ordered by code.
 *
 * Events, tasks, messages and configurations are immutable by convention, so a store may keep and share those
 * objects. It must not keep arrays and records of callers: callers may reuse them.
 */
export interface TaskStore {
  append(append: Append): Promise<Appended>;
  /**
   * The entries after a sequence in order, at most `limit`; none for an unknown task. Fewer, but at least one, where
   * they are larger than `maxBytes`.
   */
  read(
    taskId: string,
    after: number,
    limit: number,
    maxBytes?: number,
  ): Promise<readonly LogEntry[]>;
  /** A store may cut a tail that is larger than `maxBytes`. */
  load(taskId: string, maxBytes?: number): Promise<StoredTask | undefined>;
  loadRecord(taskId: string): Promise<TaskRecord | undefined>;
  list(query: ListTasksQuery): Promise<TaskPage>;
  /** The names of all agents that have tasks, sorted. May go over all owners, which is slow: for operators only. */
  listAgents(): Promise<readonly string[]>;
  /** The id of the agent's task that got an owner's message first. */
  findByMessageId(scope: Scope, messageId: string): Promise<string | undefined>;
  /**
   * Deletes tasks that ended before a time, with everything that belongs to them: log, push configurations,
   * deliveries, idempotency keys, message ids. Deletes at most `limit` in one short transaction; returns how many.
   */
  deleteEnded(before: number, limit: number): Promise<number>;
}
