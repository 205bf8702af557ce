import type { Message } from "../protocol/index.js";
import type { IdempotencyClaim } from "./append.js";
import type { Owner } from "./task-record.js";

/** How a call with an idempotency key was answered: with a task, or directly. */
export interface IdempotentResult {
  readonly requestHash: string;
  readonly taskId?: string;
  readonly reply?: Message;
}

/** The results of calls with idempotency keys. Those that create tasks are claimed by the append. */
export interface IdempotencyStore {
  loadIdempotentResult(
    owner: Owner,
    key: string,
    now: number,
  ): Promise<IdempotentResult | undefined>;
  /** Refused with `CONCURRENT_MODIFICATION` when the key is taken. */
  saveReply(owner: Owner, claim: IdempotencyClaim, reply: Message): Promise<void>;
  deleteExpiredKeys(before: number, limit: number): Promise<number>;
}
