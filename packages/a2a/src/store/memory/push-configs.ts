import { checkPushConfigs } from "../limits.js";
import type { Limits } from "../limits.js";
import type { PushConfigRecord } from "../push-store.js";
import type { Scope } from "../task-record.js";
import { compareStrings } from "./sorted-list.js";
import type { Usages } from "./usages.js";

interface KeptConfig {
  readonly record: PushConfigRecord;
  readonly scope: Scope;
  readonly bytes: number;
}

/** Push configurations by task and id. A task has few, so `list` sorts them each time. */
export class PushConfigs {
  readonly #usages: Usages;
  readonly #byTask: Map<string, Map<string, KeptConfig>> = new Map();

  constructor(usages: Usages) {
    this.#usages = usages;
  }

  /** Throws when the task may have no further configuration. Call this before `save`. */
  check(taskId: string, configId: string, limits: Limits): void {
    const configs = this.#byTask.get(taskId);
    if (configs?.has(configId) !== true) checkPushConfigs(configs?.size ?? 0, limits);
  }

  /** Saves a configuration of a task of this owner and agent. */
  save(record: PushConfigRecord, { tenant, subject, agent }: Scope): void {
    let configs = this.#byTask.get(record.taskId);
    if (configs === undefined) this.#byTask.set(record.taskId, (configs = new Map()));
    const scope = { tenant, subject, agent };
    const bytes = JSON.stringify(record.config).length;
    const before = configs.get(record.configId)?.bytes ?? 0;
    configs.set(record.configId, { record: Object.freeze({ ...record }), scope, bytes });
    this.#usages.charge(scope, { tasks: 0, bytes: bytes - before });
  }

  load(taskId: string, configId: string): PushConfigRecord | undefined {
    return this.#byTask.get(taskId)?.get(configId)?.record;
  }

  list(taskId: string, after: string | undefined, limit: number): readonly PushConfigRecord[] {
    return this.of(taskId)
      .filter(({ configId }) => after === undefined || compareStrings(configId, after) > 0)
      .toSorted((left, right) => compareStrings(left.configId, right.configId))
      .slice(0, limit);
  }

  /** All configurations of a task, unordered. */
  of(taskId: string): PushConfigRecord[] {
    return Array.from(this.#byTask.get(taskId)?.values() ?? [], ({ record }) => record);
  }

  delete(taskId: string, configId: string): void {
    const configs = this.#byTask.get(taskId);
    const kept = configs?.get(configId);
    if (kept === undefined) return;
    this.#usages.charge(kept.scope, { tasks: 0, bytes: -kept.bytes });
    configs?.delete(configId);
    if (configs?.size === 0) this.#byTask.delete(taskId);
  }

  deleteTask(taskId: string): void {
    for (const configId of this.#byTask.get(taskId)?.keys() ?? []) this.delete(taskId, configId);
  }
}
