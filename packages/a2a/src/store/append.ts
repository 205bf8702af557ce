import type { Task, TaskState } from "../protocol/internal.js";
import type { LogEvent } from "./log-event.js";
import type { PushConfigRecord } from "./push-store.js";
import type { Owner } from "./task-record.js";

/** What a new task is from its first entry on. */
export interface NewTask {
  readonly owner: Owner;
  readonly agent: string;
  readonly contextId: string;
  readonly createdIn: string;
}

/** A repeated call with this key is answered with the first one's result. */
export interface IdempotencyClaim {
  readonly key: string;
  /** Of the request; the same key with another request is a mistake of the caller. */
  readonly requestHash: string;
  readonly expiresAt: number;
}

/**
 * One atomic write to one task: all of it, or nothing.
 *
 * Refused with `CONCURRENT_MODIFICATION` when the log is not at `expectedSequence`, when `epoch` is not
 * the task's, when a new task exists already, or when the idempotency key is taken. An unknown task is
 * at no sequence and under no epoch: it refuses all but its creation.
 *
 * Refused with `UNSUPPORTED_OPERATION` when the writer knows all of the log and yet the task has ended: the
 * first terminal status wins, and closes the log to every writer and every kind of event. One that is
 * behind gets `CONCURRENT_MODIFICATION`, reads, and sees for itself.
 */
export interface Append {
  readonly taskId: string;
  /** The last entry the writer knows; 0 for a new task. */
  readonly expectedSequence: number;
  /** The epoch under which the writer may write; a new task starts with it. */
  readonly epoch: number;
  /** May be empty, to write only what is below; a new task has at least its creation. */
  readonly events: readonly LogEvent[];
  /** For a new task, and only then. */
  readonly create?: NewTask;
  /** Where the task stands after these events, when they change it; always for a new task. */
  readonly status?: { readonly state: TaskState; readonly at: number };
  /** Puts the task under a node's lease, or with `null` under none. Unchanged when absent. */
  readonly node?: string | null;
  /** The task with these events folded in; becomes the checkpoint. */
  readonly checkpoint?: Task;
  /** What the task takes up from now on, roughly, for the usage of its owner. Unchanged when absent. */
  readonly bytes?: number;
  /** Messages by whose id the task can be found. One that leads to a task already keeps leading there. */
  readonly messageIds?: readonly string[];
  /** Within the task's owner. */
  readonly idempotency?: IdempotencyClaim;
  /** Created or replaced before these events are told of, so that it hears of all of them. */
  readonly pushConfig?: Omit<PushConfigRecord, "taskId">;
  /**
   * Queues a notification of each of these events for each push configuration of the task that wants it,
   * due from this moment on. Absent: nobody is notified.
   */
  readonly notifyAt?: number;
}
