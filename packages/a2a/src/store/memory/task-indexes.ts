import { isTerminal, taskStates } from "../../protocol/internal.js";
import type { Owner } from "../task-record.js";
import type { ListTasksQuery, TaskPage } from "../task-store.js";
import { ownerKey } from "./owner-key.js";
import { comparePlaces, cutPage, sortedAs } from "./stored-log.js";
import type { StoredLog } from "./stored-log.js";
import { TaskIndex } from "./task-index.js";
import type { Usages } from "./usages.js";

const terminalStates = taskStates.filter(isTerminal);

interface OwnedTasks {
  readonly tenant: string;
  readonly index: TaskIndex;
}

interface AgentTasks {
  readonly all: TaskIndex;
  readonly byOwner: Map<string, OwnedTasks>;
  /** A context has few tasks, so they are sorted when they are listed. */
  readonly byContext: Map<string, Set<StoredLog>>;
}

/** The indexes by which tasks are found, other than by id. */
export class TaskIndexes {
  readonly #usages: Usages;
  readonly #agents: Map<string, AgentTasks> = new Map();

  constructor(usages: Usages) {
    this.#usages = usages;
  }

  add(log: StoredLog): void {
    const { agent, owner, contextId } = log.record;
    let tasks = this.#agents.get(agent);
    if (tasks === undefined) {
      tasks = {
        all: new TaskIndex(),
        byOwner: new Map(),
        byContext: new Map(),
      };
      this.#agents.set(agent, tasks);
    }
    const { all, byOwner, byContext } = tasks;
    const key = ownerKey(owner);
    let owned = byOwner.get(key);
    if (owned === undefined) {
      owned = { tenant: owner.tenant, index: new TaskIndex() };
      byOwner.set(key, owned);
    }
    const inContext = byContext.get(contextId);
    if (inContext === undefined) byContext.set(contextId, new Set([log]));
    else inContext.add(log);
    all.add(log);
    owned.index.add(log);
    this.#charge(log, 1);
  }

  /** Call this while the log is still as it was when it was added. */
  remove(log: StoredLog): void {
    const { agent, owner, contextId } = log.record;
    const tasks = this.#agents.get(agent);
    if (tasks === undefined) return;
    const { all, byOwner, byContext } = tasks;
    const key = ownerKey(owner);
    const owned = byOwner.get(key);
    const inContext = byContext.get(contextId);
    all.remove(log);
    owned?.index.remove(log);
    this.#charge(log, -1);
    inContext?.delete(log);
    if (owned?.index.isEmpty === true) byOwner.delete(key);
    if (inContext?.size === 0) byContext.delete(contextId);
    if (all.isEmpty) this.#agents.delete(agent);
  }

  list(query: ListTasksQuery): TaskPage {
    const { agent, owner, tenant, contextId } = query;
    const tasks = this.#agents.get(agent);
    if (contextId !== undefined) return listContext(tasks?.byContext.get(contextId) ?? [], query);
    if (tasks === undefined) return { tasks: [], totalSize: 0 };
    if (owner === undefined && tenant !== undefined) return listTenant(tasks, tenant, query);
    const index = owner === undefined ? tasks.all : tasks.byOwner.get(ownerKey(owner))?.index;
    return index?.list(query) ?? { tasks: [], totalSize: 0 };
  }

  agents(): string[] {
    return Array.from(this.#agents.keys()).toSorted();
  }

  /** The tasks of an agent that are submitted or working. */
  active(agent: string): StoredLog[] {
    const all = this.#agents.get(agent)?.all;
    const submitted = all?.inState("TASK_STATE_SUBMITTED")?.slice(0) ?? [];
    const working = all?.inState("TASK_STATE_WORKING")?.slice(0) ?? [];
    return [...submitted, ...working];
  }

  /** Tasks that ended before a time; per agent and state, the earliest first. */
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

  /** Adds a task to the usage of its subject, or subtracts it. */
  #charge({ record: { owner, agent, bytes } }: StoredLog, times: 1 | -1): void {
    this.#usages.charge({ subject: owner.subject, agent }, { tasks: times, bytes: times * bytes });
  }
}

/** Merges the lists of all owners of a tenant. */
function listTenant({ byOwner }: AgentTasks, tenant: string, query: ListTasksQuery): TaskPage {
  const pages = Array.from(byOwner.values()).flatMap((owned) =>
    owned.tenant === tenant ? [owned.index.find(query)] : [],
  );
  const found = pages.flatMap((page) => page.logs);
  const logs = sortedAs(found, query).slice(0, query.limit);
  return {
    ...cutPage(logs, query),
    totalSize: pages.reduce((sum, { totalSize }) => sum + totalSize, 0),
  };
}

function listContext(logs: Iterable<StoredLog>, query: ListTasksQuery): TaskPage {
  const { owner, tenant, state, statusSince, after, limit } = query;
  const matching = Array.from(logs).filter(
    ({ record }) =>
      (owner === undefined || isSame(record.owner, owner)) &&
      (tenant === undefined || record.owner.tenant === tenant) &&
      (state === undefined || record.state === state) &&
      (statusSince === undefined || record.statusAt >= statusSince),
  );
  const isNext = ({ record }: StoredLog): boolean => {
    if (after === undefined) return true;
    const compared = comparePlaces(record, after);
    return query.order === "oldest" ? compared > 0 : compared < 0;
  };
  const page = sortedAs(matching.filter(isNext), query).slice(0, limit);
  return { ...cutPage(page, query), totalSize: matching.length };
}

function isSame(left: Owner, right: Owner): boolean {
  return left.tenant === right.tenant && left.subject === right.subject;
}
