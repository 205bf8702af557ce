import type { TaskState } from "@parley/a2a";
import type { BuriedDelivery, LogEntry, NodeRecord, TaskRecord } from "@parley/a2a/store";

/**
 * `GET /api/tasks?agent=&state=&context=&owner=&tenant=&order=&after=&limit=`. `state` is one or several, with commas between
 * them; `order` is `latest`, which is the default, or `oldest`, by the time of the last status. 500 tasks at most.
 */
export interface TaskList {
  readonly tasks: readonly TaskRecord[];
  /** Passed as `after` for the next page; absent on the last. */
  readonly next?: string;
  readonly totalSize: number;
}

/** `GET /api/tasks/:id/log?after=&limit=`: a page of a log, 2,000 entries at most. */
export interface LogPage {
  readonly record: TaskRecord;
  readonly entries: readonly LogEntry[];
  readonly hasMore: boolean;
}

/** Why a task does not go on. */
export type StuckReason =
  /** It is at work, and no node with a lease works on it. */
  | "no-lease"
  /** Its node lives, and its log has been silent for long. */
  | "silent"
  /** A caller has canceled it, and it has not ended within the grace. */
  | "cancel-ignored"
  /** Nodes take it up again and again, and its log stands still. */
  | "crash-loop";

export interface StuckTask {
  readonly record: TaskRecord;
  readonly reason: StuckReason;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** In words, with what to do. */
  readonly explanation: string;
}

/** `GET /api/overview`: what an operator looks at first. */
export interface Overview {
  readonly at: number;
  readonly agents: readonly {
    readonly name: string;
    readonly counts: Readonly<Partial<Record<TaskState, number>>>;
    /** Absent where the store is read without a server. */
    readonly runs?: { readonly active: number; readonly queued: number; readonly limit: number };
    readonly push: { readonly waiting: number; readonly buried: number };
  }[];
  readonly nodes: readonly NodeRecord[];
  readonly stuck: readonly StuckTask[];
  /** Tasks that wait for a person, longest first. */
  readonly waiting: readonly TaskRecord[];
}

/** A push notification that was given up. */
export type DeadLetter = BuriedDelivery & { readonly agent: string };

/** `GET /api/dead?agent=&after=&limit=`. */
export interface DeadLetters {
  readonly deliveries: readonly DeadLetter[];
  readonly next?: string;
}
