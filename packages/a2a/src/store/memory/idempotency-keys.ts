import type { IdempotencyClaim } from "../append.js";
import type { IdempotentResult, ReplyClaim } from "../idempotency-store.js";
import { StoreConflict } from "../store-conflict.js";
import type { Head } from "../store-conflict.js";
import type { Scope } from "../task-record.js";
import { scopeKey } from "./owner-key.js";
import type { Usages } from "./usages.js";

interface KeyedResult {
  readonly scope: Scope;
  readonly expiresAt: number;
  readonly result: IdempotentResult;
  /** What a reply counts for; absent for a task, which counts by itself, and for a second key. */
  readonly usage?: { readonly tasks: number; readonly bytes: number };
}

/** Idempotency keys and their results. */
export class IdempotencyKeys {
  readonly #usages: Usages;
  readonly #results: Map<string, KeyedResult> = new Map();
  readonly #byTask: Map<string, string[]> = new Map();

  constructor(usages: Usages) {
    this.#usages = usages;
  }

  /** Throws when the key is taken. Call this before `save`. `head` is that of the task that the key would lead to. */
  check(scope: Scope, claim: IdempotencyClaim, head?: Head): void {
    if (!this.#results.has(scopeKey(scope, claim.key))) return;
    const message = `idempotency key ${JSON.stringify(claim.key)} is taken`;
    throw new StoreConflict(message, head);
  }

  save(
    { tenant, subject, agent }: Scope,
    { key, requestHash, expiresAt, alias }: ReplyClaim,
    { taskId, reply }: Pick<IdempotentResult, "taskId" | "reply">,
  ): void {
    const scope = { tenant, subject, agent };
    const name = scopeKey(scope, key);
    const outcome = taskId === undefined ? { reply } : { taskId };
    const result = Object.freeze({ requestHash, ...outcome }) as IdempotentResult;
    if (taskId === undefined) {
      const usage = { tasks: 1, bytes: JSON.stringify(reply).length };
      this.#results.set(name, { scope, expiresAt, result, usage });
      this.#usages.charge(scope, usage);
      const second = alias === undefined ? name : scopeKey(scope, alias);
      if (!this.#results.has(second)) this.#results.set(second, { scope, expiresAt, result });
      return;
    }
    this.#results.set(name, { scope, expiresAt, result });
    const names = this.#byTask.get(taskId);
    if (names === undefined) this.#byTask.set(taskId, [name]);
    else names.push(name);
  }

  load(scope: Scope, key: string, now: number): IdempotentResult | undefined {
    const found = this.#results.get(scopeKey(scope, key));
    return found !== undefined && now < found.expiresAt ? found.result : undefined;
  }

  deleteExpired(now: number, limit: number): number {
    let deleted = 0;
    for (const [name, { scope, expiresAt, usage }] of this.#results) {
      if (deleted >= limit) break;
      if (now < expiresAt) continue;
      this.#results.delete(name);
      if (usage) this.#usages.charge(scope, { tasks: -usage.tasks, bytes: -usage.bytes });
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
