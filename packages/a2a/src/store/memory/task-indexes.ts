import { isTerminal, taskStates } from "../../protocol/index.js";
import type { Owner } from "../task-record.js";
import type { ListTasksQuery, TaskPage } from "../task-store.js";
import { ownerKey } from "./owner-key.js";
import { compareByStatus, comparePlaces, toStoredTask } from "./stored-log.js";
import type { StoredLog } from "./stored-log.js";
import { TaskIndex } from "./task-index.js";

const terminalStates = taskStates.filter(isTerminal);

interface AgentTasks {
  readonly all: TaskIndex;
  readonly byOwner: Map<string, TaskIndex>;
  /** A context has few tasks, so that a list of them is made when it is asked for. */
  readonly byContext: Map<string, Set<StoredLog>>;
}

/** Every way in which tasks are looked for, besides by id. */
export class TaskIndexes {
  readonly #agents: Map<string, AgentTasks> = new Map();

  add(log: StoredLog): void {
    const { agent, owner, contextId } = log.record;
    let tasks = this.#agents.get(agent);
    if (tasks === undefined) {
      tasks = { all: new TaskIndex(), byOwner: new Map(), byContext: new Map() };
      this.#agents.set(agent, tasks);
    }
    const { all, byOwner, byContext } = tasks;
    const key = ownerKey(owner);
    let owned = byOwner.get(key);
    if (owned === undefined) byOwner.set(key, (owned = new TaskIndex()));
    const inContext = byContext.get(contextId);
    if (inContext === undefined) byContext.set(contextId, new Set([log]));
    else inContext.add(log);
    all.add(log);
    owned.add(log);
  }

  /** To be called while the record is still the one that was added. */
  remove(log: StoredLog): void {
    const { agent, owner, contextId } = log.record;
    const tasks = this.#agents.get(agent);
    if (tasks === undefined) return;
    const { all, byOwner, byContext } = tasks;
    const key = ownerKey(owner);
    const owned = byOwner.get(key);
    const inContext = byContext.get(contextId);
    all.remove(log);
    owned?.remove(log);
    inContext?.delete(log);
    if (owned?.isEmpty === true) byOwner.delete(key);
    if (inContext?.size === 0) byContext.delete(contextId);
    if (all.isEmpty) this.#agents.delete(agent);
  }

  list(query: ListTasksQuery): TaskPage {
    const { agent, owner, contextId } = query;
    const tasks = this.#agents.get(agent);
    if (contextId !== undefined) return listContext(tasks?.byContext.get(contextId) ?? [], query);
    const index = owner === undefined ? tasks?.all : tasks?.byOwner.get(ownerKey(owner));
    return index?.list(query) ?? { tasks: [], totalSize: 0 };
  }

  /** Tasks of an agent that are submitted or working. */
  active(agent: string): StoredLog[] {
    const all = this.#agents.get(agent)?.all;
    const submitted = all?.inState("TASK_STATE_SUBMITTED")?.slice(0) ?? [];
    const working = all?.inState("TASK_STATE_WORKING")?.slice(0) ?? [];
    return [...submitted, ...working];
  }

  /** Those that ended before a moment, of each agent and state the earliest first. */
  endedBefore(moment: number, limit: number): StoredLog[] {
    const found: StoredLog[] = [];
    for (const { all } of this.#agents.values()) {
      for (const state of terminalStates) {
        const logs = all.inState(state);
        const count = logs?.countBefore(({ record }) => record.statusAt < moment) ?? 0;
        const rest = limit - found.length;
        found.push(...(logs?.slice(0, Math.min(count, rest)) ?? []));
      }
    }
    return found;
  }
}

function listContext(logs: Iterable<StoredLog>, query: ListTasksQuery): TaskPage {
  const { owner, state, statusSince, after, limit } = query;
  const matching = Array.from(logs).filter(
    ({ record }) =>
      (owner === undefined || isSame(record.owner, owner)) &&
      (state === undefined || record.state === state) &&
      (statusSince === undefined || record.statusAt >= statusSince),
  );
  const page = matching
    .filter(({ record }) => after === undefined || comparePlaces(record, after) < 0)
    .toSorted((left, right) => compareByStatus(right, left))
    .slice(0, limit);
  return { tasks: page.map(toStoredTask), totalSize: matching.length };
}

function isSame(left: Owner, right: Owner): boolean {
  return left.tenant === right.tenant && left.subject === right.subject;
}
