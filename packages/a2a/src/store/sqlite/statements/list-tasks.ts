import { taskStates } from "../../../protocol/internal.js";
import type { ListTasksQuery } from "../../task-store.js";
import type { Connection } from "../connection.js";
import type { SqliteValue } from "../driver.js";
import type { StoredTaskText } from "../operations.js";
import { sumCounters } from "./counters.js";
import { findScope } from "./scopes.js";
import { loadFirst, plannedRows } from "./stored-tasks.js";
import type { PlannedRow } from "./stored-tasks.js";
import { toStateNumber } from "../../rows/states.js";

interface Condition {
  readonly sql: string;
  readonly values: readonly SqliteValue[];
}

export function listTasks(
  db: Connection,
  query: ListTasksQuery,
): { tasks: StoredTaskText[]; totalSize: number; isCut: boolean } {
  const place = findPlace(db, query);
  if (place === undefined) return { tasks: [], totalSize: 0, isCut: false };
  const states =
    query.state === undefined ? Array.from(taskStates.keys()) : [toStateNumber(query.state)];
  const since: Condition[] =
    query.statusSince === undefined ? [] : [{ sql: "status_at >= ?", values: [query.statusSince] }];
  const arms = armsOf(query, [place, ...since], states);
  const rows = selectPage(db, query, arms);
  const tasks = loadFirst(db, rows, query.maxBytes ?? Infinity);
  return {
    tasks,
    isCut: tasks.length < rows.length,
    totalSize:
      query.contextId === undefined && query.statusSince === undefined
        ? sumCounters(db, { agent: query.agent, ...(query.owner ?? tenantOf(query)) }, states)
        : countTasks(db, arms),
  };
}

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

function selectPage(
  db: Connection,
  { after, limit, omits = [] }: ListTasksQuery,
  arms: readonly Condition[],
): PlannedRow[] {
  const next: Condition[] =
    after === undefined
      ? []
      : [
          {
            sql: "status_at <= ? AND (status_at < ? OR task_id < ?)",
            values: [after.statusAt, after.statusAt, after.taskId],
          },
        ];
  const page = arms.map((arm) => join([arm, ...next]));
  const union = page.map(({ sql }) => `SELECT task, status_at, task_id FROM tasks WHERE ${sql}`);
  const { columns, tables } = plannedRows(omits);
  return db.all<PlannedRow>(
    `WITH page AS MATERIALIZED (
       ${union.join(" UNION ALL ")} ORDER BY status_at DESC, task_id DESC LIMIT ?
     )
     SELECT ${columns} FROM ${tables} WHERE tasks.task IN (SELECT task FROM page)
     ORDER BY status_at DESC, task_id DESC`,
    ...page.flatMap(({ values }) => values),
    limit,
  );
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
