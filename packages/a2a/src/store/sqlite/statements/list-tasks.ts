import { taskStates } from "../../../protocol/internal.js";
import type { ListTasksQuery } from "../../task-store.js";
import type { Connection } from "../connection.js";
import type { SqliteValue } from "../driver.js";
import type { TaskPageText } from "../operations.js";
import { sumCounters } from "./counters.js";
import { findScope } from "./scopes.js";
import type { StatusCounts } from "./status-counts.js";
import { loadLarge, orderOf, selectPage } from "./stored-tasks.js";
import { toStateNumber } from "../../rows/states.js";

interface Condition {
  readonly sql: string;
  readonly values: readonly SqliteValue[];
}

/** More tasks than these are not counted each time. */
const manyTasks = 4096;

interface Source {
  readonly db: Connection;
  readonly statusCounts: StatusCounts;
}

export function listTasks(source: Source, query: ListTasksQuery): TaskPageText {
  const { db } = source;
  const place = findPlace(db, query);
  if (place === undefined) return emptyPage;
  const states =
    query.state === undefined ? Array.from(taskStates.keys()) : [toStateNumber(query.state)];
  const since: Condition[] =
    query.statusSince === undefined ? [] : [{ sql: "status_at >= ?", values: [query.statusSince] }];
  const arms = armsOf(query, [place, ...since], states);
  const { records, plans, contents } = selectPage(db, pageOf(query, arms), query);
  const { large, count } = loadLarge(db, plans, query.maxBytes ?? Infinity);
  return {
    records,
    contents,
    large,
    count,
    isCut: count < plans.length,
    totalSize: totalOf(source, query, { arms, states }),
  };
}

/** How many tasks match. Those of an owner since a time are known; those of a context, and of all owners, are counted. */
function totalOf(
  { db, statusCounts }: Source,
  query: ListTasksQuery,
  { arms, states }: { readonly arms: readonly Condition[]; readonly states: readonly number[] },
): number {
  const { owner, agent, contextId, statusSince } = query;
  if (contextId !== undefined) return countTasks(db, arms);
  const all = sumCounters(db, { agent, ...(owner ?? tenantOf(query)) }, states);
  if (statusSince === undefined) return all;
  const scope = owner && findScope(db, { ...owner, agent });
  if (scope === undefined || all <= manyTasks) return countTasks(db, arms);
  const counts = states.map((state) => statusCounts.count(db, { scope, state }, statusSince));
  return counts.reduce((sum, tasks) => sum + tasks, 0);
}

const emptyPage: TaskPageText = {
  records: "[]",
  contents: "",
  large: new Map(),
  count: 0,
  isCut: false,
  totalSize: 0,
};

/** The condition for the scope, agent and context of the tasks. `undefined` when there is no such scope. */
function findPlace(
  db: Connection,
  { owner, tenant, agent, contextId }: ListTasksQuery,
): Condition | undefined {
  const context = contextId === undefined ? [] : [{ sql: "context_id = ?", values: [contextId] }];
  if (owner !== undefined) {
    const scope = findScope(db, { ...owner, agent });
    return scope === undefined
      ? undefined
      : join([{ sql: "scope = ?", values: [scope] }, ...context]);
  }
  if (tenant !== undefined) {
    const scopes = "scope IN (SELECT scope FROM scopes WHERE agent = ? AND tenant = ?)";
    return join([{ sql: scopes, values: [agent, tenant] }, ...context]);
  }
  const scopes = "scope IN (SELECT scope FROM scopes WHERE agent = ?)";
  return contextId === undefined
    ? { sql: "agent = ?", values: [agent] }
    : join([{ sql: scopes, values: [agent] }, ...context]);
}

function tenantOf({ tenant }: ListTasksQuery): { readonly tenant?: string } {
  return tenant === undefined ? {} : { tenant };
}

/**
 * The conditions of the queries whose results are merged. The indexes are sorted within each state, so a list over
 * all states merges one query per state, each of which reads no more than the page needs. A context has few
 * tasks, so one query sorts them.
 */
function armsOf(
  { contextId, state }: ListTasksQuery,
  conditions: readonly Condition[],
  states: readonly number[],
): Condition[] {
  if (contextId !== undefined && state === undefined) return [join(conditions)];
  // The plus keeps SQLite from choosing an index by state, which is less selective than the context.
  const column = contextId === undefined ? "state" : "+state";
  return states.map((number) =>
    join([...conditions, { sql: `${column} = ${number}`, values: [] }]),
  );
}

/** The table `page`, which has the tasks of a page. */
function pageOf(query: ListTasksQuery, arms: readonly Condition[]): Condition {
  const { after, limit, order } = query;
  const than = order === "oldest" ? ">" : "<";
  const next: Condition[] =
    after === undefined
      ? []
      : [
          {
            sql: `status_at ${than}= ? AND (status_at ${than} ? OR task_id ${than} ?)`,
            values: [after.statusAt, after.statusAt, after.taskId],
          },
        ];
  const page = arms.map((arm) => join([arm, ...next]));
  const union = page.map(({ sql }) => `SELECT task, status_at, task_id FROM tasks WHERE ${sql}`);
  return {
    sql: `WITH page (task) AS MATERIALIZED (SELECT task FROM (
      ${union.join(" UNION ALL ")} ORDER BY ${orderOf(query)} LIMIT ?))`,
    values: [...page.flatMap(({ values }) => values), limit],
  };
}

/** The agents that have tasks. */
export function listAgents(db: Connection): readonly string[] {
  const sql = `SELECT DISTINCT agent FROM scopes WHERE EXISTS (
    SELECT 1 FROM counters WHERE counters.scope = scopes.scope AND tasks > 0) ORDER BY agent`;
  return db.all<{ agent: string }>(sql).map(({ agent }) => agent);
}

function countTasks(db: Connection, arms: readonly Condition[]): number {
  const counts = arms.map(({ sql }) => `(SELECT count(*) FROM tasks WHERE ${sql})`);
  const row = db.get<{ tasks: number }>(
    `SELECT ${counts.join(" + ")} AS tasks`,
    ...arms.flatMap(({ values }) => values),
  );
  return row?.tasks ?? 0;
}

function join(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => sql).join(" AND "),
    values: conditions.flatMap(({ values }) => values),
  };
}
