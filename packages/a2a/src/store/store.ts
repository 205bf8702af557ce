import type { IdempotencyStore } from "./idempotency-store.js";
import type { LeaseStore } from "./lease-store.js";
import type { OutboxStore } from "./outbox-store.js";
import type { PushStore } from "./push-store.js";
import type { SecretStore } from "./secret-store.js";
import type { TaskStore } from "./task-store.js";
import type { UsageStore } from "./usage-store.js";

/** Everything that the runtime stores. */
export interface Store
  extends
    TaskStore,
    UsageStore,
    LeaseStore,
    PushStore,
    OutboxStore,
    IdempotencyStore,
    SecretStore,
    AsyncDisposable {
  /** Describes the store for people: `memory`, `sqlite .parley/parley.db`. */
  readonly description: string;
  /** Whether other processes may use the same data at the same time. */
  readonly isShared: boolean;
  /**
   * A number that differs from the one before if another process has written since, or if an operation has failed and may
   * have been carried out nevertheless. It is the same after writes of this store alone that were answered. A node that
   * polls for what it does not know yet looks at it first. Absent: the store cannot tell it cheaply.
   */
  foreignVersion?(): Promise<number>;
  /** How many connections to its server the store has, by what they do; `pending` are those who wait for one. */
  connections?(): Readonly<Record<"used" | "idle" | "pending", number>>;
  /** Resolves when the store answers one small read and takes writes; rejects when it does not. */
  check(): Promise<void>;
  /** Finishes the operations under way and frees all resources. Closing again does nothing. */
  close(): Promise<void>;
}
