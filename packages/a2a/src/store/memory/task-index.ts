import type { TaskState } from "../../protocol/index.js";
import type { ListTasksQuery, TaskPage } from "../task-store.js";
import { compareStrings, SortedList } from "./sorted-list.js";
import { compareByStatus, toStoredTask } from "./stored-log.js";
import type { StoredLog } from "./stored-log.js";

type Filter = Omit<ListTasksQuery, "owner" | "agent">;

/** Tasks in the order of lists, counted by state so that totals need no scan. */
export class TaskIndex {
  readonly #logs: SortedList<StoredLog> = new SortedList(compareByStatus);
  readonly #counts: Map<TaskState, number> = new Map();

  get size(): number {
    return this.#logs.size;
  }

  add(log: StoredLog): void {
    this.#logs.add(log);
    this.#count(log.record.state, 1);
  }

  /** To be called while the record is still the one that was added. */
  remove(log: StoredLog): void {
    this.#logs.remove(log);
    this.#count(log.record.state, -1);
  }

  list(filter: Filter): TaskPage {
    const tasks = [];
    const first = this.#firstSince(filter.statusSince);
    for (let index = this.#countBefore(filter.after) - 1; index >= first; index -= 1) {
      if (tasks.length >= filter.limit) break;
      const log = this.#logs.at(index);
      if (log !== undefined && matches(log, filter)) tasks.push(toStoredTask(log));
    }
    return { tasks, totalSize: this.#totalSize(filter, first) };
  }

  #totalSize(filter: Filter, first: number): number {
    const { contextId, state, statusSince } = filter;
    if (contextId === undefined && state === undefined) return this.#logs.size - first;
    if (contextId === undefined && state !== undefined && statusSince === undefined) {
      return this.#counts.get(state) ?? 0;
    }
    let total = 0;
    for (const log of this.#logs.slice(first)) if (matches(log, filter)) total += 1;
    return total;
  }

  #firstSince(statusSince: number | undefined): number {
    if (statusSince === undefined) return 0;
    return this.#logs.countBefore(({ record }) => record.statusAt < statusSince);
  }

  #countBefore(after: Filter["after"]): number {
    if (after === undefined) return this.#logs.size;
    return this.#logs.countBefore(
      ({ record }) =>
        record.statusAt < after.statusAt ||
        (record.statusAt === after.statusAt && compareStrings(record.taskId, after.taskId) < 0),
    );
  }

  #count(state: TaskState, change: number): void {
    this.#counts.set(state, (this.#counts.get(state) ?? 0) + change);
  }
}

function matches({ record }: StoredLog, { contextId, state }: Filter): boolean {
  return (
    (contextId === undefined || record.contextId === contextId) &&
    (state === undefined || record.state === state)
  );
}
