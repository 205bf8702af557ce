/**
 * Stores for tasks: the ports, each small enough to read in a minute. A store persists and orders; it knows
 * nothing of agents, runs or the rights of callers. The engines are in the folders beside this file.
 */
export type { Append, Appended, IdempotencyClaim, NewTask } from "./append.js";
export type {
  Claim,
  ClaimedTask,
  LeaseStore,
  NodeInfo,
  NodeRecord,
  Renewal,
} from "./lease-store.js";
export { StoreConflict } from "./store-conflict.js";
export type { Head } from "./store-conflict.js";
export { encryptSecrets } from "./encrypt-secrets.js";
export { checkPushConfigs, checkUsage, limitsUsage } from "./store-limits.js";
export type { StoreLimits } from "./store-limits.js";
export type { LogEntry, LogEvent, RunResumed, RunStarted, StreamRecorded } from "./log-event.js";
export type {
  BuriedDelivery,
  ClaimedQueue,
  DeliveryKey,
  OutboxStore,
  PushQueue,
  QueueClaim,
  QueuedDelivery,
  QueueSettlement,
} from "./outbox-store.js";
export { pushDetails, pushRankOf } from "./push-detail.js";
export type { PushDetail } from "./push-detail.js";
export type { PushConfigRecord } from "./push-store.js";
export { createSealer, newSealKey, parseSealKey } from "./sealer.js";
export type { Sealer, SealKey } from "./sealer.js";
export type { SecretStore } from "./secret-store.js";
export type { Store } from "./store.js";
export { isStoreFault } from "./store-fault.js";
export type {
  Checkpoint,
  Owner,
  Scope,
  StoredTask,
  Summary,
  TaskContent,
  TaskRecord,
} from "./task-record.js";
export type { ListTasksQuery, TaskStore } from "./task-store.js";
export type { Usage } from "./usage-store.js";
export { weigh } from "./weigh.js";
