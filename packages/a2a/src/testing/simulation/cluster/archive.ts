import { readTask } from "./read-task.js";
import type { TaskSource, WholeTask } from "./read-task.js";

/** Keeps what the store deletes, since callers have seen it. */
export class Archive {
  readonly #source: TaskSource;
  /** Tasks that have ended and may be deleted. */
  readonly #ended = new Set<string>();
  readonly #deleted = new Map<string, WholeTask>();

  constructor(source: TaskSource) {
    this.#source = source;
  }

  /** A task has ended. */
  add(taskId: string): void {
    this.#ended.add(taskId);
  }

  /** A deleted task as it was. */
  find(taskId: string): WholeTask | undefined {
    return this.#deleted.get(taskId);
  }

  /** Lets the store delete, and keeps what it deletes. Returns the ids. */
  async around(work: () => Promise<unknown>): Promise<readonly string[]> {
    const before = new Map<string, WholeTask>();
    for (const taskId of this.#ended) {
      const whole = await readTask(this.#source, taskId);
      if (whole !== undefined) before.set(taskId, whole);
    }
    await work();
    const deleted: string[] = [];
    for (const [taskId, { task, configs }] of before) {
      if ((await this.#source.store.loadRecord(taskId)) !== undefined) continue;
      this.#deleted.set(taskId, { task: { ...task, isDeleted: true }, configs });
      this.#ended.delete(taskId);
      deleted.push(taskId);
    }
    return deleted;
  }

  /** A failover may have brought back what was deleted. */
  async compare(): Promise<void> {
    for (const taskId of [...this.#ended, ...this.#deleted.keys()]) {
      const isThere = (await this.#source.store.loadRecord(taskId)) !== undefined;
      if (isThere) this.#deleted.delete(taskId);
      else this.#ended.delete(taskId);
    }
  }

  clear(): void {
    this.#ended.clear();
    this.#deleted.clear();
  }
}
