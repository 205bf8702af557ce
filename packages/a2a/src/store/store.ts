import type { IdempotencyStore } from "./idempotency-store.js";
import type { LeaseStore } from "./lease-store.js";
import type { OutboxStore } from "./outbox-store.js";
import type { PushStore } from "./push-store.js";
import type { TaskStore } from "./task-store.js";

/** All that the runtime keeps. */
export interface Store
  extends TaskStore, LeaseStore, PushStore, OutboxStore, IdempotencyStore, AsyncDisposable {
  /** What the store is, for people: `memory`, `sqlite .parley/parley.db`. */
  readonly description: string;
  /** Finishes what is under way and lets go of all resources. Closing again does nothing. */
  close(): Promise<void>;
}
