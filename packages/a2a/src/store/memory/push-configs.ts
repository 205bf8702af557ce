import type { PushConfigRecord } from "../push-store.js";
import { compareStrings } from "./sorted-list.js";

/** Push configurations by task and id. A task has few, so `list` sorts them each time. */
export class PushConfigs {
  readonly #byTask: Map<string, Map<string, PushConfigRecord>> = new Map();

  save(record: PushConfigRecord): void {
    let configs = this.#byTask.get(record.taskId);
    if (configs === undefined) this.#byTask.set(record.taskId, (configs = new Map()));
    configs.set(record.configId, Object.freeze({ ...record }));
  }

  load(taskId: string, configId: string): PushConfigRecord | undefined {
    return this.#byTask.get(taskId)?.get(configId);
  }

  list(taskId: string, after: string | undefined, limit: number): readonly PushConfigRecord[] {
    return Array.from(this.#byTask.get(taskId)?.values() ?? [])
      .filter(({ configId }) => after === undefined || compareStrings(configId, after) > 0)
      .toSorted((left, right) => compareStrings(left.configId, right.configId))
      .slice(0, limit);
  }

  /** All configurations of a task, unordered. */
  of(taskId: string): Iterable<PushConfigRecord> {
    return this.#byTask.get(taskId)?.values() ?? [];
  }

  delete(taskId: string, configId: string): void {
    const configs = this.#byTask.get(taskId);
    configs?.delete(configId);
    if (configs?.size === 0) this.#byTask.delete(taskId);
  }

  deleteTask(taskId: string): void {
    this.#byTask.delete(taskId);
  }
}
