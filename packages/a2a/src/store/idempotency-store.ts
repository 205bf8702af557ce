import type { Message } from "../protocol/internal.js";
import type { IdempotencyClaim } from "./append.js";
import type { Owner } from "./task-record.js";

/** How a call with an idempotency key was answered: with a task, or directly. */
export interface IdempotentResult {
  readonly requestHash: string;
  readonly taskId?: string;
  readonly reply?: Message;
}

/**
 * The results of calls with idempotency keys. Those that lead to tasks are claimed by the append. A key is
 * expired from its `expiresAt` on: it is not loaded any more, and free once it was deleted.
 */
export interface IdempotencyStore {
  loadIdempotentResult(
    owner: Owner,
    key: string,
    now: number,
  ): Promise<IdempotentResult | undefined>;
  /** Refused with `CONCURRENT_MODIFICATION` when the key is taken. */
  saveReply(owner: Owner, claim: IdempotencyClaim, reply: Message): Promise<void>;
  /** Deletes keys that are expired at a moment, at most `limit`. Answers how many. */
  deleteExpiredKeys(now: number, limit: number): Promise<number>;
}
