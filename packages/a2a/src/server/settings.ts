import type { RunLimits } from "./shares/run-slots.js";

/** What an operator can set. Times are in milliseconds; sizes in bytes are approximate. */
export interface RuntimeSettings extends RunLimits {
  /**
   * How long a call may wait for its run to begin. After that it is refused with `RESOURCE_EXHAUSTED`. A run whose
   * caller has a task already is never refused: it waits on. Default: 30,000.
   */
  readonly maxQueueMs: number;
  /**
   * Within this time another node takes over the tasks of a node that has fallen silent. The lease itself lasts
   * three quarters of it. Default: 15,000.
   */
  readonly leaseMs: number;
  /**
   * How long a canceled run may take to stop by itself. After that the task is canceled without it. Default: 5,000.
   */
  readonly cancelGraceMs: number;
  /**
   * How long a call with `returnImmediately` waits for a direct reply. After that it gets a task in which the
   * agent goes on. Default: 50.
   */
  readonly decisionMs: number;
  /**
   * How long a caller before 1.0 that does not say whether it waits, which 0.1 cannot say, waits for its task to end.
   * After that it gets the task as it is, and asks for it again. Default: 30,000.
   */
  readonly maxWaitMs: number;
  /**
   * How long a stopping node lets its runs finish. After that it leaves them to other nodes. Those of a durable agent it
   * leaves at once, if there are other nodes. Default: 10,000.
   */
  readonly stopGraceMs: number;
  /**
   * The largest size of one task. A run that exceeds it fails; a message that exceeds it is refused. Default:
   * 256 MiB.
   */
  readonly maxTaskBytes: number;
  /**
   * The largest size of one page of `ListTasks`, unless a single task is larger. The rest of the list follows in
   * further pages. Default: 8 MiB.
   */
  readonly maxPageBytes: number;
  /**
   * How many bytes of large tasks and pages (over 256 KiB) are being read for callers at the same time, from the load
   * to the last byte of the answer. One caller gets half of it. Further reads wait for up to ten seconds, then they are
   * refused. Default: 256 MiB.
   */
  readonly maxReadBytes: number;
  /** The largest size of one event or message. A run that exceeds it fails; a message is refused. Default: 16 MiB. */
  readonly maxEventBytes: number;
  /** How long a repeated call with the same idempotency key gets the result of the first. Default: 24 hours. */
  readonly idempotencyMs: number;
  /**
   * Treats a message id like an idempotency key: the same id again gets the result of the first message. Default:
   * false.
   */
  readonly idempotentMessageIds: boolean;
  /**
   * Callers authenticate. All anonymous callers share one owner then, so they cannot list tasks or use
   * idempotency keys. Default: false; `serve` sets it when it is given `auth`.
   */
  readonly hasAuthentication: boolean;
  /** Anyone may read the extended card of an agent, not only authenticated callers. Default: false. */
  readonly extendedCardForAnyone: boolean;
  /**
   * Callers with this scope read, list, watch and cancel the tasks of all owners. With the scope `scope:tenant` they do
   * so in that tenant, in calls that name it. Everything else is for the owner of a task alone. Default:
   * `a2a:operator`.
   */
  readonly operatorScope: string;
  /**
   * How many handlers may wait for an answer in the memory of this node. When there are more, the oldest handler of the
   * caller with the most is dropped, and begun again from its start when its answer comes. Default: 4,096.
   */
  readonly maxSuspended: number;
  /**
   * How many bytes of messages and results may wait with them. When there are more, the oldest handler of the caller
   * with the most is dropped. Default: 256 MiB; `serve` takes no more than an eighth of what the heap may have.
   */
  readonly maxSuspendedBytes: number;
  /**
   * How long a handler may wait in memory. After that it is dropped and begun again when its answer comes. Default:
   * 15 minutes.
   */
  readonly suspendForMs: number;
  /**
   * How long the node that holds a waiting handler has to take up an answer. After that another node claims the task.
   * Default: 3,000.
   */
  readonly takeUpMs: number;
  /** How many tasks and kept replies a caller may have with this agent. Default: no limit. */
  readonly maxTasksPerPrincipal?: number;
  /**
   * How many bytes a caller's tasks, kept replies and push configurations with this agent may take up. Default: no
   * limit.
   */
  readonly maxBytesPerPrincipal?: number;
  /** The retention: tasks are deleted this long after they ended. Default: never. */
  readonly retentionMs?: number;
  /**
   * The retention of tasks that wait for their caller, be it for an answer or for authorization. One that has waited this
   * long fails, and its watchers and push configurations are told; from then on `retentionMs` counts. Default: for ever.
   */
  readonly waitingRetentionMs?: number;
  /**
   * Which events are sent to push configurations: all, or changes of status only. A change applies to
   * configurations that are registered after it. Default: all.
   */
  readonly pushEvents: "all" | "status";
  /** How many push notifications this node sends at the same time. Default: 128. */
  readonly maxConcurrentPushes: number;
  /** How many of them go to the same host. Default: 8. */
  readonly maxConcurrentPushesPerHost: number;
  /** How long one attempt to send a push notification may take. Default: 10,000. */
  readonly pushTimeoutMs: number;
  /**
   * The pause after the first failed attempt. It doubles with each further one, up to `maxPushDelayMs`. Default:
   * 1,000.
   */
  readonly minPushDelayMs: number;
  /** The longest pause between two attempts. Default: 1 hour. */
  readonly maxPushDelayMs: number;
  /** A push notification is given up after this many failed attempts. Default: 100. */
  readonly maxPushAttempts: number;
  /** A push notification is given up this long after its event. Default: 24 hours. */
  readonly maxPushAgeMs: number;
}

export const defaultSettings: RuntimeSettings = {
  maxConcurrentRuns: 1000,
  maxQueuedRuns: 10_000,
  maxQueueMs: 30_000,
  leaseMs: 15_000,
  cancelGraceMs: 5000,
  decisionMs: 50,
  maxWaitMs: 30_000,
  stopGraceMs: 10_000,
  maxTaskBytes: 256 * 1024 * 1024,
  maxPageBytes: 8 * 1024 * 1024,
  maxReadBytes: 256 * 1024 * 1024,
  maxEventBytes: 16 * 1024 * 1024,
  idempotencyMs: 24 * 60 * 60 * 1000,
  idempotentMessageIds: false,
  hasAuthentication: false,
  extendedCardForAnyone: false,
  operatorScope: "a2a:operator",
  maxSuspended: 4096,
  maxSuspendedBytes: 256 * 1024 * 1024,
  suspendForMs: 15 * 60 * 1000,
  takeUpMs: 3000,
  pushEvents: "all",
  maxConcurrentPushes: 128,
  maxConcurrentPushesPerHost: 8,
  pushTimeoutMs: 10_000,
  minPushDelayMs: 1000,
  maxPushDelayMs: 60 * 60 * 1000,
  maxPushAttempts: 100,
  maxPushAgeMs: 24 * 60 * 60 * 1000,
};
