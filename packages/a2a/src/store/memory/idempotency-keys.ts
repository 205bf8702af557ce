import { A2AError } from "../../protocol/internal.js";
import type { IdempotencyClaim } from "../append.js";
import type { IdempotentResult } from "../idempotency-store.js";
import type { Owner } from "../task-record.js";
import { ownerKey } from "./owner-key.js";

interface KeyedResult {
  readonly expiresAt: number;
  readonly result: IdempotentResult;
}

/** Idempotency keys and their results. */
export class IdempotencyKeys {
  readonly #results: Map<string, KeyedResult> = new Map();
  readonly #byTask: Map<string, string[]> = new Map();

  /** Throws when the key is taken. Call this before `save`. */
  check(owner: Owner, claim: IdempotencyClaim): void {
    if (!this.#results.has(ownerKey(owner, claim.key))) return;
    const message = `idempotency key ${JSON.stringify(claim.key)} is taken`;
    throw new A2AError("CONCURRENT_MODIFICATION", message);
  }

  save(
    owner: Owner,
    { key, requestHash, expiresAt }: IdempotencyClaim,
    outcome: Pick<IdempotentResult, "taskId" | "reply">,
  ): void {
    const name = ownerKey(owner, key);
    this.#results.set(name, { expiresAt, result: Object.freeze({ requestHash, ...outcome }) });
    if (outcome.taskId === undefined) return;
    const names = this.#byTask.get(outcome.taskId);
    if (names === undefined) this.#byTask.set(outcome.taskId, [name]);
    else names.push(name);
  }

  load(owner: Owner, key: string, now: number): IdempotentResult | undefined {
    const found = this.#results.get(ownerKey(owner, key));
    return found !== undefined && now < found.expiresAt ? found.result : undefined;
  }

  deleteExpired(now: number, limit: number): number {
    let deleted = 0;
    for (const [name, { expiresAt }] of this.#results) {
      if (deleted >= limit) break;
      if (now < expiresAt) continue;
      this.#results.delete(name);
      deleted += 1;
    }
    return deleted;
  }

  deleteTask(taskId: string): void {
    for (const name of this.#byTask.get(taskId) ?? []) {
      // An expired key may lead to another task by now.
      if (this.#results.get(name)?.result.taskId === taskId) this.#results.delete(name);
    }
    this.#byTask.delete(taskId);
  }
}
