import type { Owner } from "../task-record.js";
import { ownerKey } from "./owner-key.js";

/** Tasks by the ids of their messages, per owner. */
export class MessageIds {
  readonly #tasks: Map<string, string> = new Map();
  readonly #byTask: Map<string, string[]> = new Map();

  /** A message id that already leads to a task keeps leading there. */
  add(owner: Owner, messageIds: readonly string[], taskId: string): void {
    for (const messageId of messageIds) {
      const key = ownerKey(owner, messageId);
      if (this.#tasks.has(key)) continue;
      this.#tasks.set(key, taskId);
      const keys = this.#byTask.get(taskId);
      if (keys === undefined) this.#byTask.set(taskId, [key]);
      else keys.push(key);
    }
  }

  find(owner: Owner, messageId: string): string | undefined {
    return this.#tasks.get(ownerKey(owner, messageId));
  }

  deleteTask(taskId: string): void {
    for (const key of this.#byTask.get(taskId) ?? []) this.#tasks.delete(key);
    this.#byTask.delete(taskId);
  }
}
