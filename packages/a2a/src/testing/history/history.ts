import type { TaskState } from "../../protocol/internal.js";
import type { LogEntry, PushConfigRecord, TaskRecord } from "../../store/internal.js";

/** What came of a call. A call whose answer was lost, or that failed in doubt, is unknown: it may have been applied. */
export type CallOutcome = "answered" | "refused" | "unknown";

/** A call as its caller saw it. All times are milliseconds on one clock that never goes back. */
export interface HistoryCall {
  readonly operation: "send" | "cancel" | "get" | "configure";
  /** Absent for a call that had not come back when the history ended. */
  readonly outcome?: CallOutcome;
  readonly begunAt: number;
  readonly endedAt?: number;
  /** The node that took the call, where the caller knows it. */
  readonly node?: string;
  /** The task that the call names, or that its answer has led to. */
  readonly taskId?: string;
  /** The message that was sent. Calls that repeat one share its id. */
  readonly messageId?: string;
  /** The idempotency key. */
  readonly key?: string;
  /** The push configuration that was created. */
  readonly configId?: string;
  /** What the answer showed of the task: `digestTask`. */
  readonly digest?: string;
  /** Why it was refused, or what is in doubt. */
  readonly error?: string;
}

/** An event that a watcher got. */
export interface StreamedEvent {
  readonly at: number;
  /** The id of the event, which is its sequence in the log. */
  readonly id?: number;
  /** `hashEvent` of an update, `digestTask` of a task. */
  readonly hash: string;
  /** Whether it is a whole task, with which a watcher begins, and not an update. */
  readonly isTask?: boolean;
  readonly node?: string;
}

/** What one watcher saw of a task over all its connections. */
export interface HistoryStream {
  readonly name: string;
  readonly taskId?: string;
  readonly events: readonly StreamedEvent[];
  /** Ended by the server as complete, left by the watcher, or still open when the history ended. */
  readonly outcome: "ended" | "left" | "open";
}

/** A trace that the work of a step left outside of the store, or what `step` returned to the handler. */
export interface HistoryEffect {
  readonly kind: "done" | "returned";
  readonly at: number;
  readonly taskId: string;
  readonly step: string;
  /** What the step's work returned, as JSON. Each time the work is done it is another. */
  readonly result: string;
  readonly node?: string;
}

/** A push notification that a receiver took. */
export interface WebhookArrival {
  readonly at: number;
  readonly taskId: string;
  readonly configId: string;
  readonly sequence: number;
}

/** Something that went wrong on purpose. */
export interface HistoryFault {
  readonly name: string;
  readonly begunAt: number;
  readonly endedAt: number;
  readonly node?: string;
}

/** An entry of a task's log and, where the store tells, who wrote it. */
export interface FinalEntry extends Pick<LogEntry, "sequence" | "event"> {
  readonly epoch?: number;
  /** Names the process, or the node, that wrote the entry. */
  readonly writer?: string;
  /** Written at the end of the log, whoever held the task. */
  readonly isAtEnd?: boolean;
}

/** A task as the store has it when all is over. */
export interface FinalTask {
  readonly record: Pick<
    TaskRecord,
    "taskId" | "owner" | "agent" | "state" | "sequence" | "epoch" | "node"
  >;
  readonly log: readonly FinalEntry[];
  /** Whether the store has deleted it since, by its retention; `log` is what it was. */
  readonly isDeleted?: boolean;
}

/** A push configuration as the store has it when all is over. */
export interface FinalConfig extends Pick<PushConfigRecord, "taskId" | "configId" | "detail"> {
  /** The entry after which notifications were owed; 0 if the message that created the task registered it. */
  readonly since?: number;
}

/** How many tasks the store counts, without reading them. Absent members match everything. */
export interface CountedTasks {
  readonly agent: string;
  readonly subject?: string;
  readonly state?: TaskState;
  readonly tasks: number;
}

/** What the store holds when all is over. */
export interface FinalState {
  /** When it was read. */
  readonly readAt: number;
  /** How long a silent node keeps its tasks. */
  readonly leaseMs: number;
  /** Whether every handler has had time to end. A task that is still submitted or working is stuck then. */
  readonly areRunsOver?: boolean;
  readonly tasks: readonly FinalTask[];
  /** Nodes that have a lease. */
  readonly liveNodes: readonly string[];
  readonly configs: readonly FinalConfig[];
  readonly outbox: {
    /** Notifications that are neither sent nor given up. */
    readonly waiting: number;
    readonly buried: readonly {
      readonly taskId: string;
      readonly configId: string;
      readonly sequence: number;
    }[];
    /** How long the oldest of those that wait has been due; negative or absent: none is. */
    readonly overdueMs?: number;
  };
  readonly counts: readonly CountedTasks[];
}

/**
 * What callers, watchers, steps and receivers saw of a cluster, and what its store holds in the end. The log is the total
 * order, so `checkHistory` needs no search.
 */
export interface History {
  readonly calls: readonly HistoryCall[];
  readonly streams: readonly HistoryStream[];
  readonly effects: readonly HistoryEffect[];
  readonly arrivals: readonly WebhookArrival[];
  readonly faults: readonly HistoryFault[];
  readonly end: FinalState;
}
