import type { Message } from "../protocol/internal.js";
import type { IdempotencyClaim } from "./append.js";
import type { StoreLimits } from "./store-limits.js";
import type { Scope } from "./task-record.js";

/** The result of a call with an idempotency key: a task or a direct reply. */
export interface IdempotentResult {
  readonly requestHash: string;
  readonly taskId?: string;
  readonly reply?: Message;
}

/** Reserves a key for a direct reply. */
export interface ReplyClaim extends IdempotencyClaim {
  /** A second key that leads to the reply, unless it is taken. It expires with the first and counts for nothing. */
  readonly alias?: string;
}

/**
 * The results of calls with idempotency keys. A key belongs to its owner and its agent. A key that leads to a task is saved by the task's append. From
 * `expiresAt` on a key is expired: it is no longer loaded, and it is free again once it has been deleted.
 */
export interface IdempotencyStore {
  loadIdempotentResult(
    scope: Scope,
    key: string,
    now: number,
  ): Promise<IdempotentResult | undefined>;
  /** Rejects with `CONCURRENT_MODIFICATION` when the key is taken. */
  saveReply(scope: Scope, claim: ReplyClaim, reply: Message, limits?: StoreLimits): Promise<void>;
  /** Deletes at most `limit` keys that are expired at `now`. Returns how many. */
  deleteExpiredKeys(now: number, limit: number): Promise<number>;
}
