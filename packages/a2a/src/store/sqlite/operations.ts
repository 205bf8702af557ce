import type { ErrorCode, ErrorDetails } from "../../protocol/internal.js";
import type { Appended } from "../append.js";
import type { ReplyClaim } from "../idempotency-store.js";
import type { Claim, ClaimedTask, NodeInfo, Renewal } from "../lease-store.js";
import type { Head } from "../store-conflict.js";
import type { StoreLimits } from "../store-limits.js";
import type {
  BuriedDelivery,
  ClaimedQueue,
  DeliveryKey,
  QueueClaim,
  QueueSettlement,
} from "../outbox-store.js";
import type { Scope, TaskRecord } from "../task-record.js";
import type { ListTasksQuery } from "../task-store.js";
import type { Usage } from "../usage-store.js";
import type { PackedAppend } from "./append-text.js";
import type { DatabaseOptions } from "./file/open-database.js";
import type { Probe } from "./file/probe-file.js";
import type { PushConfigText } from "./push-config-text.js";
import type { AbandonedClaim, StoredNode } from "./statements/nodes.js";

/**
 * What is said of an append: its time alone, where the writer named its sequence and nobody was notified, because the rest is
 * as the writer expects then. Every append sends one of these.
 */
export type AppendedText = number | Appended;

/** Successive rows of a log as the thread returns them. */
export interface LogText {
  /** The sequence of the last event of the first row. */
  readonly upto: number;
  /** When the first row was committed. */
  readonly at: number;
  /** The events of all rows as JSON, separated by commas. Each further row begins with the time of its commit. */
  readonly events: string;
}

/** A stored task as the thread returns it. The tail begins after the checkpoint. */
export interface StoredTaskText {
  readonly record: TaskRecord;
  readonly checkpoint?: { readonly sequence: number; readonly body: string };
  readonly tail: LogText;
}

/** A page of a list as the thread returns it: few texts, because each value that crosses costs more than so much text. */
export interface TaskPageText {
  /** JSON with an array for each task: a `RecordTuple`. */
  readonly records: string;
  /**
   * What a JSON array holds, with an array for each task: its checkpoint or `null`, the sequence of that or 0, then what is
   * in a `LogText` if it has a tail; or with `null`, for a task whose content is in `large`.
   */
  readonly contents: string;
  /** The same of tasks that are not small, by their places. */
  readonly large: ReadonlyMap<number, string>;
  /** How many of the tasks are on the page. */
  readonly count: number;
  /** Whether that is not all of them. */
  readonly isCut: boolean;
  /** How many tasks match, over all pages. */
  readonly totalSize: number;
}

interface IdempotentResultText {
  readonly requestHash: string;
  readonly expiresAt: number;
  readonly taskId: string | null;
  readonly reply: string | null;
}

/** The operations of the worker thread that only read. */
export interface ReadOperations {
  /** The requested events, and possibly events around them, because rows are read whole. */
  read(request: { taskId: string; after: number; limit: number; maxBytes: number }): LogText;
  load(request: { taskId: string; maxBytes: number }): StoredTaskText | undefined;
  loadRecord(taskId: string): TaskRecord | undefined;
  list(query: ListTasksQuery): TaskPageText;
  listAgents(request: undefined): readonly string[];
  loadUsage(request: { subject: string; agent: string }): Usage;
  findByMessageId(request: { scope: Scope; messageId: string }): string | undefined;
  listHeld(request: { agent: string; node: string }): readonly string[];
  leaseOf(node: string): number | undefined;
  listNodes(request: undefined): readonly StoredNode[];
  foreignVersion(request: undefined): number;
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
  loadIdempotentResult(request: { scope: Scope; key: string }): IdempotentResultText | undefined;
}

/** The operations of the worker thread that write. A refused one throws an `A2AError` before it writes anything. */
export interface WriteOperations {
  append(append: PackedAppend): AppendedText;
  check(request: undefined): void;
  claim(claim: Claim): number | undefined;
  claimAbandoned(claim: AbandonedClaim): readonly ClaimedTask[];
  renewNode(request: { node: string; forMs: number; info: NodeInfo }): Renewal;
  releaseNode(node: string): void;
  setDraining(request: { node: string; isDraining: boolean }): boolean;
  savePushConfig(request: { record: PushConfigText; limits: StoreLimits | undefined }): boolean;
  deletePushConfig(request: { taskId: string; configId: string }): void;
  claimQueues(claim: QueueClaim): readonly ClaimedQueue[];
  settleQueue(settlement: QueueSettlement): void;
  reviveDelivery(request: { key: DeliveryKey; now: number }): boolean;
  saveReply(request: {
    scope: Scope;
    claim: ReplyClaim;
    reply: string;
    limits: StoreLimits | undefined;
  }): void;
  deleteExpiredKeys(request: { now: number; limit: number }): number;
  settleSecret(request: { name: string; proposed: string }): string;
  deleteEnded(request: { before: number; limit: number }): number;
}

/** One operation by name. */
export interface Call {
  readonly name: string;
  readonly request: unknown;
}

/** The operations that are sent to the worker together. */
export interface Batch {
  readonly reads: readonly Call[];
  readonly writes: readonly Call[];
  /** Roughly how many bytes they have. */
  readonly bytes: number;
  /** The store's time, where a test decides it. Absent: that of the system, once the transaction has begun. */
  readonly now?: number;
}

export type ToWorker = Batch | { readonly probe: Probe } | "close";

/** An error as it is sent between threads, without its class. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
  /** Where the log stands, of a conflict. */
  readonly head?: Head;
  /** Present when the operation did not fail for what it asked. */
  readonly fault?: FileFault;
}

/** Why the file cannot be used. */
export interface FileFault {
  /** In plain words, without the path. */
  readonly what: string;
  readonly advice?: string;
  /** What the driver says. */
  readonly detail: string;
  readonly isFull: boolean;
  readonly isDamaged: boolean;
}

/** The results of the reads or the writes of a batch, in order. The result of a failed one is a `Failure`. */
export interface Reply {
  readonly of: "reads" | "writes";
  readonly results: readonly unknown[];
  /** The indexes of the failed operations. */
  readonly failed: readonly number[];
}

export type FromWorker =
  | "opened"
  | "closed"
  | { readonly notOpened: Failure }
  | { readonly probed: FileFault | undefined }
  | Reply;

export type WorkerData = DatabaseOptions;
