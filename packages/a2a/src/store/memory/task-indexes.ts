import { isTerminal } from "../../protocol/index.js";
import type { ListTasksQuery, TaskPage } from "../task-store.js";
import { ownerKey } from "./owner-key.js";
import { SortedList } from "./sorted-list.js";
import { compareByStatus } from "./stored-log.js";
import type { StoredLog } from "./stored-log.js";
import { TaskIndex } from "./task-index.js";

interface AgentTasks {
  readonly all: TaskIndex;
  readonly byOwner: Map<string, TaskIndex>;
  /** Those that are submitted or working. */
  readonly active: Set<StoredLog>;
}

/** Every way in which tasks are looked for, besides by id. */
export class TaskIndexes {
  readonly #agents: Map<string, AgentTasks> = new Map();
  readonly #ended: SortedList<StoredLog> = new SortedList(compareByStatus);

  add(log: StoredLog): void {
    const { agent, owner, state } = log.record;
    let tasks = this.#agents.get(agent);
    if (tasks === undefined) {
      tasks = { all: new TaskIndex(), byOwner: new Map(), active: new Set() };
      this.#agents.set(agent, tasks);
    }
    const key = ownerKey(owner);
    let owned = tasks.byOwner.get(key);
    if (owned === undefined) tasks.byOwner.set(key, (owned = new TaskIndex()));
    tasks.all.add(log);
    owned.add(log);
    if (isTerminal(state)) this.#ended.add(log);
    if (state === "TASK_STATE_SUBMITTED" || state === "TASK_STATE_WORKING") tasks.active.add(log);
  }

  /** To be called while the record is still the one that was added. */
  remove(log: StoredLog): void {
    const { agent, owner, state } = log.record;
    const tasks = this.#agents.get(agent);
    const key = ownerKey(owner);
    const owned = tasks?.byOwner.get(key);
    tasks?.all.remove(log);
    tasks?.active.delete(log);
    owned?.remove(log);
    if (owned?.size === 0) tasks?.byOwner.delete(key);
    if (isTerminal(state)) this.#ended.remove(log);
  }

  list(query: ListTasksQuery): TaskPage {
    const tasks = this.#agents.get(query.agent);
    const index =
      query.owner === undefined ? tasks?.all : tasks?.byOwner.get(ownerKey(query.owner));
    return index?.list(query) ?? { tasks: [], totalSize: 0 };
  }

  /** Tasks of an agent that are submitted or working. */
  active(agent: string): Iterable<StoredLog> {
    return this.#agents.get(agent)?.active ?? [];
  }

  /** The earliest of those that ended before a moment. */
  endedBefore(moment: number, limit: number): StoredLog[] {
    const count = this.#ended.countBefore(({ record }) => record.statusAt < moment);
    return this.#ended.slice(0, Math.min(count, limit));
  }
}
