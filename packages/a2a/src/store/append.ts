import type { Task, TaskState } from "../protocol/internal.js";
import type { StoreLimits } from "./store-limits.js";
import type { LogEvent } from "./log-event.js";
import type { PushConfigRecord } from "./push-store.js";
import type { Owner, Summary } from "./task-record.js";

/** What is fixed when a task is created. */
export interface NewTask {
  readonly owner: Owner;
  readonly agent: string;
  readonly contextId: string;
  /** The dialect of the call that creates the task. */
  readonly createdIn: string;
}

/** Reserves a key: a repeated call with the same key gets the result of the first. */
export interface IdempotencyClaim {
  readonly key: string;
  /** A hash of the request. The same key with another request is the caller's mistake. */
  readonly requestHash: string;
  readonly expiresAt: number;
}

/**
 * One atomic write to one task: all of it or nothing.
 *
 * The store refuses it with `CONCURRENT_MODIFICATION` when the log is not at `expectedSequence`, when the task is
 * not under `epoch`, when its state is not among `whileStates`, when a new task already exists, or when the idempotency
 * key is taken. An unknown task refuses every append except its creation. The refusal is a `StoreConflict`: it says where
 * the log stands.
 *
 * The store refuses it with `UNSUPPORTED_OPERATION` when the task has ended and the writer knows the whole log, or
 * writes at its end: the first terminal status closes the log to every writer and every kind of event, whatever
 * `whileStates` says. A writer that is behind gets `CONCURRENT_MODIFICATION`, reads the log, and sees that the task has
 * ended.
 */
export interface Append {
  readonly taskId: string;
  /**
   * The sequence of the last entry that the writer knows; 0 for a new task. Absent: at the end of the log, wherever that
   * is and whoever holds the task. Such an append brings no checkpoint, summary or bytes, since its writer does not know
   * what is before it.
   */
  readonly expectedSequence?: number;
  /** The epoch under which the writer may write. A new task starts with it. Ignored without `expectedSequence`. */
  readonly epoch: number;
  /** The states in which the append is wanted. Absent: in every state but the terminal ones. */
  readonly whileStates?: readonly TaskState[];
  /** May be empty, to write only the members below. A new task has at least `task-created`. */
  readonly events: readonly LogEvent[];
  /** Present for a new task, and only then. */
  readonly create?: NewTask;
  /** The state after these events, when they change it. Always present for a new task. */
  readonly status?: { readonly state: TaskState; readonly at: number };
  /** The node under whose lease the task is from now on; `null`: under none. Absent: unchanged. */
  readonly node?: string | null;
  /** The task including these events. Becomes its checkpoint. */
  readonly checkpoint?: Task;
  /**
   * The task including these events, for lists, where it is too large for a checkpoint. A store that keeps none reads
   * the log instead.
   */
  readonly summary?: Summary;
  /** The approximate size of the task from now on, for the usage of its owner. Absent: unchanged. */
  readonly bytes?: number;
  /** Ids of messages by which the task can be found. An id that already leads to a task keeps leading there. */
  readonly messageIds?: readonly string[];
  /** Keys are unique per owner and agent. */
  readonly idempotency?: IdempotencyClaim;
  /** Created or replaced before notifications are queued, so that it receives all of these events. */
  readonly pushConfig?: Omit<PushConfigRecord, "taskId">;
  /**
   * Queues a notification of each event for each push configuration of the task that wants it, due from this time
   * on. Absent: queues none.
   */
  readonly notifyAt?: number;
  /** How much may be kept. A new task counts as one; any other append adds to a task. */
  readonly limits?: StoreLimits;
}

/** What a store says of an append that it has committed. */
export interface Appended {
  /** The sequence of the last entry of the log. */
  readonly sequence: number;
  readonly epoch: number;
  /** When it was committed, in the store's time. Every entry of the append carries it. */
  readonly at: number;
  /** How many push notifications were queued. */
  readonly queued: number;
}
