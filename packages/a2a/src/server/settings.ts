import type { RunLimits } from "./run/run-slots.js";

/** What an operator can set. */
export interface RuntimeSettings extends RunLimits {
  /** Within this time the tasks of a node that has gone silent are taken over by another. */
  readonly leaseMs: number;
  /** How long a canceled run may take to stop by itself. */
  readonly cancelGraceMs: number;
  /** How long a call that does not want to wait leaves the agent to answer directly. */
  readonly decisionMs: number;
  /** How long a stopping node lets its runs finish. */
  readonly stopGraceMs: number;
  /** Bytes of events one task may hold, roughly. */
  readonly maxTaskBytes: number;
  /** Bytes of one event, roughly. */
  readonly maxEventBytes: number;
  /** How long a call can be repeated with its idempotency key. */
  readonly idempotencyMs: number;
  /** Treats a message id that was sent before as the same message. */
  readonly idempotentMessageIds: boolean;
  /** Anonymous callers exist beside authenticated ones: they list nothing. */
  readonly hasAuthentication: boolean;
  /**
   * Callers with this scope read, list and cancel everyone's tasks; with `scope:tenant`, everyone's of that
   * tenant, when they name it. All else stays with the owners.
   */
  readonly operatorScope: string;
  /** Tasks a caller may keep with this agent; as many as it likes when absent. */
  readonly maxTasksPerPrincipal?: number;
  /** Bytes a caller's tasks with this agent may take up, roughly; as many as they do when absent. */
  readonly maxBytesPerPrincipal?: number;
  /** Ended tasks are deleted after this time; never when absent. */
  readonly retentionMs?: number;
  /** Of which events configurations registered from now on are notified: all, or changes of status only. */
  readonly pushEvents: "all" | "status";
  /** Notifications under way at a time, over all receivers and to one host. */
  readonly maxConcurrentPushes: number;
  readonly maxConcurrentPushesPerHost: number;
  /** How long an attempt to notify may take. */
  readonly pushTimeoutMs: number;
  /** The pause after a first failed attempt, which doubles with each further one, and the longest. */
  readonly minPushDelayMs: number;
  readonly maxPushDelayMs: number;
  /** After so many failed attempts, or so long after its event, a notification is given up. */
  readonly maxPushAttempts: number;
  readonly maxPushAgeMs: number;
}

export const defaultSettings: RuntimeSettings = {
  maxConcurrentRuns: 1000,
  maxQueuedRuns: 10_000,
  leaseMs: 15_000,
  cancelGraceMs: 5000,
  decisionMs: 50,
  stopGraceMs: 10_000,
  maxTaskBytes: 256 * 1024 * 1024,
  maxEventBytes: 16 * 1024 * 1024,
  idempotencyMs: 24 * 60 * 60 * 1000,
  idempotentMessageIds: false,
  hasAuthentication: false,
  operatorScope: "a2a:operator",
  pushEvents: "all",
  maxConcurrentPushes: 128,
  maxConcurrentPushesPerHost: 8,
  pushTimeoutMs: 10_000,
  minPushDelayMs: 1000,
  maxPushDelayMs: 60 * 60 * 1000,
  maxPushAttempts: 100,
  maxPushAgeMs: 24 * 60 * 60 * 1000,
};
