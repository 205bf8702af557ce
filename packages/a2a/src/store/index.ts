/**
 * The port through which the runtime keeps tasks, and what goes with it. The engines are the entries below this
 * one; to write your own, implement `Store` and run `checkStore` of `@parley/a2a/testing`.
 */

// Encrypt secrets at rest
export { encryptSecrets } from "./encrypt-secrets.js";
export { newSealKey, parseSealKey } from "./sealer.js";
export type { SealKey } from "./sealer.js";

// Write a store
export type { Store } from "./store.js";

// Tasks and their logs
export type { TaskStore } from "./task-store.js";
export type { Append, Appended, NewTask } from "./append.js";
export { StoreConflict } from "./store-conflict.js";
export type { Head } from "./store-conflict.js";
export type { LogEntry, LogEvent } from "./log-event.js";
export { foldTask, TaskFold } from "../protocol/internal.js";
export type { TaskEvent } from "../protocol/internal.js";
export type {
  Checkpoint,
  Owner,
  Scope,
  StoredTask,
  Summary,
  TaskContent,
  TaskRecord,
} from "./task-record.js";
export type { ListTasksQuery, TaskPage } from "./task-store.js";
export type { StoreLimits } from "./store-limits.js";
export type { Usage, UsageStore } from "./usage-store.js";

// Leases, repeated calls and secrets
export type {
  Claim,
  ClaimedTask,
  ClaimTerms,
  LeaseStore,
  NodeInfo,
  NodeRecord,
  Renewal,
} from "./lease-store.js";
export type { IdempotencyStore, IdempotentResult, ReplyClaim } from "./idempotency-store.js";
export type { SecretStore } from "./secret-store.js";

// Push notifications
export { pushDetails, pushRankOf } from "./push-detail.js";
export type { PushConfigRecord, PushStore } from "./push-store.js";
export type {
  BuriedDelivery,
  ClaimedQueue,
  DeliveryKey,
  OutboxStore,
  PushQueue,
  QueueClaim,
  QueueSettlement,
} from "./outbox-store.js";
