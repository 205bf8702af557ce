import type { TaskState } from "../../protocol/internal.js";
import type { ListTasksQuery, TaskPage } from "../task-store.js";
import { SortedList } from "./sorted-list.js";
import { compareByStatus, comparePlaces, cutPage, sortedAs } from "./stored-log.js";
import type { StoredLog } from "./stored-log.js";

/**
 * Tasks sorted by status, in one list per state. A page is merged from the ends of these lists, and a total is the
 * sum of their lengths, so neither goes over tasks that are not on the page.
 */
export class TaskIndex {
  readonly #byState: Map<TaskState, SortedList<StoredLog>> = new Map();

  add(log: StoredLog): void {
    const { state } = log.record;
    let logs = this.#byState.get(state);
    if (logs === undefined) this.#byState.set(state, (logs = new SortedList(compareByStatus)));
    logs.add(log);
  }

  /** Call this while the record is still the one that was added. */
  remove(log: StoredLog): void {
    const { state } = log.record;
    const logs = this.#byState.get(state);
    logs?.remove(log);
    if (logs?.size === 0) this.#byState.delete(state);
  }

  get isEmpty(): boolean {
    return this.#byState.size === 0;
  }

  /** The tasks in a state, from the earliest status to the latest. */
  inState(state: TaskState): SortedList<StoredLog> | undefined {
    return this.#byState.get(state);
  }

  list(query: ListTasksQuery): TaskPage {
    const { totalSize, logs } = this.find(query);
    return { ...cutPage(logs, query), totalSize };
  }

  /** The tasks of a page, whatever their size. */
  find(query: ListTasksQuery): {
    readonly totalSize: number;
    readonly logs: StoredLog[];
  } {
    const { state, statusSince, after, limit, order } = query;
    let totalSize = 0;
    const candidates = this.#select(state).flatMap((logs) => {
      const first = countEarlier(logs, statusSince);
      totalSize += logs.size - first;
      if (order === "oldest") {
        const start = Math.max(first, after === undefined ? 0 : countUpTo(logs, after));
        return logs.slice(start, start + limit);
      }
      const end = countBefore(logs, after);
      return logs.slice(Math.max(first, end - limit), end);
    });
    return { logs: sortedAs(candidates, query).slice(0, limit), totalSize };
  }

  #select(state: TaskState | undefined): SortedList<StoredLog>[] {
    if (state === undefined) return Array.from(this.#byState.values());
    const logs = this.#byState.get(state);
    return logs === undefined ? [] : [logs];
  }
}

function countEarlier(logs: SortedList<StoredLog>, moment: number | undefined): number {
  if (moment === undefined) return 0;
  return logs.countBefore(({ record }) => record.statusAt < moment);
}

function countUpTo(
  logs: SortedList<StoredLog>,
  place: NonNullable<ListTasksQuery["after"]>,
): number {
  return logs.countBefore(({ record }) => comparePlaces(record, place) <= 0);
}

function countBefore(logs: SortedList<StoredLog>, after: ListTasksQuery["after"]): number {
  if (after === undefined) return logs.size;
  return logs.countBefore(({ record }) => comparePlaces(record, after) < 0);
}
