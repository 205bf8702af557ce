import type { ErrorCode, ErrorDetails } from "../../protocol/internal.js";
import type { Append, IdempotencyClaim } from "../append.js";
import type { Claim } from "../lease-store.js";
import type {
  BuriedDelivery,
  ClaimedQueue,
  DeliveryKey,
  QueueClaim,
  QueueSettlement,
} from "../outbox-store.js";
import type { PushConfigRecord } from "../push-store.js";
import type { Owner, TaskRecord } from "../task-record.js";
import type { ListTasksQuery } from "../task-store.js";
import type { Usage } from "../usage-store.js";
import type { DatabaseOptions } from "./open-database.js";

/** Successive events of a log as one text: JSON, separated by commas. */
export interface LogRow {
  readonly count: number;
  readonly events: string;
}

/** An append as it travels: what is JSON in the database is text already. */
export interface AppendText extends Omit<Append, "events" | "checkpoint" | "pushConfig"> {
  readonly rows: readonly LogRow[];
  readonly checkpoint?: string;
  readonly pushConfig?: Omit<PushConfigText, "taskId">;
  /** One digit an event: from which detail on push configurations hear of it. Empty: none does. */
  readonly ranks: string;
}

/** A part of a log as it travels: JSON, separated by commas, and the sequence of the last event. */
export interface LogText {
  readonly last: number;
  readonly events: string;
}

/** A stored task as it travels. The tail ends where the log does. */
export interface StoredTaskText {
  readonly record: TaskRecord;
  readonly checkpoint?: { readonly sequence: number; readonly body: string };
  readonly tail: string;
}

export interface PushConfigText extends Omit<PushConfigRecord, "config"> {
  readonly config: string;
}

interface IdempotentResultText {
  readonly requestHash: string;
  readonly expiresAt: number;
  readonly taskId: string | null;
  readonly reply: string | null;
}

/** What the worker thread answers without writing. */
export interface ReadOperations {
  /** At least the events asked for, as far as there are any; rows are read as a whole. */
  read(request: { taskId: string; after: number; limit: number }): LogText;
  load(taskId: string): StoredTaskText | undefined;
  loadRecord(taskId: string): TaskRecord | undefined;
  list(query: ListTasksQuery): { tasks: readonly StoredTaskText[]; totalSize: number };
  loadUsage(request: { subject: string; agent: string }): Usage;
  check(request: undefined): void;
  findByMessageId(request: { owner: Owner; messageId: string }): string | undefined;
  findAbandoned(request: { agent: string; now: number; limit: number }): readonly string[];
  loadPushConfig(request: { taskId: string; configId: string }): PushConfigText | undefined;
  listPushConfigs(request: {
    taskId: string;
    after: string | undefined;
    limit: number;
  }): readonly PushConfigText[];
  listBuried(query: {
    agent: string;
    after?: DeliveryKey;
    limit: number;
  }): readonly BuriedDelivery[];
  countDeliveries(agent: string): { waiting: number; buried: number };
  nextDeliveryAt(agent: string): number | undefined;
  loadIdempotentResult(request: { owner: Owner; key: string }): IdempotentResultText | undefined;
}

/** What the worker thread writes. One that is refused throws an `A2AError` before it has written anything. */
export interface WriteOperations {
  append(append: AppendText): number;
  claim(claim: Claim): number | undefined;
  renewNode(request: { node: string; until: number }): void;
  releaseNode(node: string): void;
  savePushConfig(record: PushConfigText): boolean;
  deletePushConfig(request: { taskId: string; configId: string }): void;
  claimQueues(claim: QueueClaim): readonly ClaimedQueue[];
  settleQueue(settlement: QueueSettlement): void;
  reviveDelivery(request: { key: DeliveryKey; now: number }): boolean;
  saveReply(request: { owner: Owner; claim: IdempotencyClaim; reply: string }): void;
  deleteExpiredKeys(request: { now: number; limit: number }): number;
  settleSecret(request: { name: string; proposed: string }): string;
  deleteEnded(request: { before: number; limit: number }): number;
}

/** One operation by name. */
export interface Call {
  readonly name: string;
  readonly request: unknown;
}

/** Everything that is sent to the worker at once. */
export interface Batch {
  readonly reads: readonly Call[];
  readonly writes: readonly Call[];
}

export type ToWorker = Batch | "close";

/** An error as it travels; the error's own class does not. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
}

/** How the reads or the writes of a batch ended, in their order; where one failed, its result is a `Failure`. */
export interface Reply {
  readonly of: "reads" | "writes";
  readonly results: readonly unknown[];
  /** The indexes of those that failed. */
  readonly failed: readonly number[];
}

export type FromWorker = "opened" | { readonly notOpened: Failure } | Reply;

export type WorkerData = DatabaseOptions;
