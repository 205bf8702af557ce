import type { Scope } from "../task-record.js";
import { scopeKey } from "./owner-key.js";

/** Tasks by the ids of their messages, per owner and agent. */
export class MessageIds {
  readonly #tasks: Map<string, string> = new Map();
  readonly #byTask: Map<string, string[]> = new Map();

  /** A message id that already leads to a task keeps leading there. */
  add(scope: Scope, messageIds: readonly string[], taskId: string): void {
    for (const messageId of messageIds) {
      const key = scopeKey(scope, messageId);
      if (this.#tasks.has(key)) continue;
      this.#tasks.set(key, taskId);
      const keys = this.#byTask.get(taskId);
      if (keys === undefined) this.#byTask.set(taskId, [key]);
      else keys.push(key);
    }
  }

  find(scope: Scope, messageId: string): string | undefined {
    return this.#tasks.get(scopeKey(scope, messageId));
  }

  deleteTask(taskId: string): void {
    for (const key of this.#byTask.get(taskId) ?? []) this.#tasks.delete(key);
    this.#byTask.delete(taskId);
  }
}
