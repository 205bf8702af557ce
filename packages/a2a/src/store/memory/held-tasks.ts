import { isTerminal } from "../../protocol/internal.js";
import type { HeldTask } from "../lease-store.js";
import type { TaskRecord } from "../task-record.js";
import { compareStrings, SortedList } from "./sorted-list.js";
import type { StoredLog } from "./stored-log.js";

/** The tasks that have not ended, by the node that holds them, each node's sorted by id. */
export class HeldTasks {
  readonly #byNode: Map<string, SortedList<StoredLog>> = new Map();

  /** Call this after a record was replaced. `before` is the old one; absent for a new task. */
  move(log: StoredLog, before: TaskRecord | undefined): void {
    const from = before && holderOf(before);
    const to = holderOf(log.record);
    if (from === to) return;
    if (from !== undefined) this.#remove(from, log);
    if (to === undefined) return;
    let logs = this.#byNode.get(to);
    if (logs === undefined) this.#byNode.set(to, (logs = new SortedList(compareById)));
    logs.add(log);
  }

  list(node: string, limit: number, after: string | undefined): HeldTask[] {
    const logs = this.#byNode.get(node);
    if (logs === undefined) return [];
    const first =
      after === undefined
        ? 0
        : logs.countBefore(({ record }) => compareStrings(record.taskId, after) <= 0);
    return logs.slice(first, first + limit).map(({ record, events }) => ({
      taskId: record.taskId,
      state: record.state,
      sequence: events.length,
      epoch: record.epoch,
    }));
  }

  #remove(node: string, log: StoredLog): void {
    const logs = this.#byNode.get(node);
    logs?.remove(log);
    if (logs?.size === 0) this.#byNode.delete(node);
  }
}

function holderOf({ state, node }: TaskRecord): string | undefined {
  return isTerminal(state) ? undefined : node;
}

function compareById(left: StoredLog, right: StoredLog): number {
  return compareStrings(left.record.taskId, right.record.taskId);
}
