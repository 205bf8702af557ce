import { taskStates } from "../../../protocol/internal.js";
import type { Query } from "../../../postgres/internal.js";
import type { TaskContent } from "../../task-record.js";
import type { ListTasksQuery, TaskPage } from "../../task-store.js";
import type { Place } from "../place.js";
import { toStateNumber } from "../../rows/states.js";
import type { Tables } from "../tables.js";
import { toStored } from "./load-tasks.js";
import type { StoredRow } from "./load-tasks.js";
import { fitRows, joinRows } from "./log.js";
import { recordColumns } from "./records.js";

/** A row of the page. The first row has no task if the page has none. */
interface ListRow extends StoredRow {
  readonly total: number;
  readonly listed: number;
  readonly task: number | null;
}

export async function listTasks(
  { database, tables }: Place,
  query: ListTasksQuery,
): Promise<TaskPage> {
  const rows = await database.read<ListRow>(listStatement(tables, query));
  const [first] = rows;
  const found = rows.filter(({ task }) => task !== null);
  const isCut = found.length < (first?.listed ?? 0);
  return {
    tasks: found.map(toStored),
    totalSize: first?.total ?? 0,
    ...(isCut && { isCut }),
  };
}

/** The agents that have tasks. */
export async function listAgents({ database, tables }: Place): Promise<readonly string[]> {
  // What nodes have counted is spread over rows, some of which are below 0.
  const text = `SELECT s.agent FROM ${tables.scopes} s JOIN ${tables.counters} q USING (scope)
    GROUP BY s.agent HAVING sum(q.tasks) > 0`;
  const rows = await database.read<{ readonly agent: string }>({ text, values: [] });
  return rows.map(({ agent }) => agent).toSorted();
}

/**
 * One statement, so that a page is as of one moment. The indexes are sorted within each state, so the page is merged
 * from one short list per state. Which tasks fit a size is decided before anything large is read.
 */
export function listStatement(tables: Tables, query: ListTasksQuery): Query {
  const values: unknown[] = [];
  const add = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;
  const states =
    query.state === undefined ? Array.from(taskStates.keys()) : [toStateNumber(query.state)];
  const limit = query.limit.toFixed(0);
  const way = query.order === "oldest" ? "" : " DESC";
  const list = `'{${states.join(",")}}'::smallint[]`;
  const terms = { tables, states: list, add };
  const page = armOf(terms, query, { after: query.after, limit });
  const total =
    query.contextId === undefined && query.statusSince === undefined
      ? `SELECT coalesce(sum(q.tasks), 0)::bigint FROM ${tables.scopes} s JOIN ${tables.counters} q USING (scope)
          WHERE ${whose("s", query, add)} AND q.state = ANY (${list})`
      : `SELECT count(*) FROM ${armOf(terms, query)}`;
  const omits = query.omits ?? [];
  const { columns, join } = checkpointOf(tables, omits);
  const fits = query.maxBytes === undefined ? undefined : add(query.maxBytes, "bigint");
  const sizes =
    fits === undefined
      ? ""
      : `, sum(coalesce(octet_length(k.body), 0) + coalesce(f.bytes, 0)) OVER w AS size, f.last`;
  const fitting =
    fits === undefined
      ? ""
      : `CROSS JOIN LATERAL (${fitRows(tables, "p.task", "coalesce(k.sequence, 0)", fits)}) f`;
  const more = fits === undefined ? "" : " AND l.sequence <= c.last";
  return {
    text: `WITH p AS MATERIALIZED (
        SELECT t.task, t.status_at, t.task_id FROM ${page}
        ORDER BY t.status_at${way}, t.task_id${way} LIMIT ${limit}),
      c AS MATERIALIZED (
        SELECT p.task, row_number() OVER w AS place, k.sequence AS checkpoint, k.is_summary${sizes}
        FROM p LEFT JOIN LATERAL (SELECT ${columns} FROM ${join}) k ON true ${fitting}
        WINDOW w AS (ORDER BY p.status_at${way}, p.task_id${way}))
      SELECT n.total, n.listed, t.task, ${recordColumns}, c.checkpoint,
        CASE WHEN c.is_summary THEN y.body ELSE k.body END AS body, l.places, l.events
      FROM (SELECT (${total}) AS total, (SELECT count(*) FROM p) AS listed) n
      LEFT JOIN c ON ${fits === undefined ? "true" : `c.place = 1 OR c.size <= ${fits}`}
      LEFT JOIN ${tables.tasks} t ON t.task = c.task LEFT JOIN ${tables.scopes} s ON s.scope = t.scope
      LEFT JOIN ${tables.checkpoints} k ON k.task = c.task AND NOT c.is_summary
      LEFT JOIN ${tables.summaries} y ON y.task = c.task AND c.is_summary
      LEFT JOIN LATERAL (${joinRows(tables, "c.task", "coalesce(c.checkpoint, 0)", more)}) l ON true
      ORDER BY c.place`,
    values,
  };
}

type Add = (value: unknown, type: string) => string;

/** What a statement is written with: the states that match, and how a value is added. */
interface Terms {
  readonly tables: Tables;
  readonly states: string;
  readonly add: Add;
}

/** The condition on scopes, by what the query names of the owner. */
function whose(scopes: string, { owner, tenant, agent }: ListTasksQuery, add: Add): string {
  const conditions = [`${scopes}.agent = ${add(agent, "text")}`];
  const its = owner?.tenant ?? tenant;
  if (its !== undefined) conditions.push(`${scopes}.tenant = ${add(its, "text")}`);
  if (owner !== undefined) conditions.push(`${scopes}.subject = ${add(owner.subject, "text")}`);
  return conditions.join(" AND ");
}

/** The tasks that match, as `t`. With a page: of each state and scope no more than the page can need. */
function armOf(
  { tables, states, add }: Terms,
  query: ListTasksQuery,
  page?: { readonly after: ListTasksQuery["after"]; readonly limit: string },
): string {
  const { owner, tenant, agent, contextId, statusSince, order } = query;
  const [way, than] = order === "oldest" ? ["", ">"] : [" DESC", "<"];
  const isAgents = owner === undefined && tenant === undefined && contextId === undefined;
  const conditions = [isAgents ? `t.agent = ${add(agent, "text")}` : "t.scope = s.scope"];
  if (statusSince !== undefined) conditions.push(`t.status_at >= ${add(statusSince, "bigint")}`);
  if (page?.after !== undefined) {
    const { statusAt, taskId } = page.after;
    conditions.push(
      `(t.status_at, t.task_id) ${than} (${add(statusAt, "bigint")}, ${add(taskId, "text")})`,
    );
  }
  const scopes = isAgents ? "" : `${tables.scopes} s CROSS JOIN `;
  const which = isAgents ? "" : `WHERE ${whose("s", query, add)}`;
  const columns = "t.task, t.status_at, t.task_id";
  // A context has few tasks, so they are sorted.
  if (contextId !== undefined) {
    conditions.push(`t.context_id = ${add(contextId, "text")}`, `t.state = ANY (${states})`);
    return `(SELECT ${columns} FROM ${scopes}LATERAL (
      SELECT * FROM ${tables.tasks} t WHERE ${conditions.join(" AND ")}) t ${which}) t`;
  }
  const sorted = page && `ORDER BY t.status_at${way}, t.task_id${way} LIMIT ${page.limit}`;
  return `(SELECT ${columns} FROM ${scopes}unnest(${states}) AS a(state) CROSS JOIN LATERAL (
    SELECT ${columns} FROM ${tables.tasks} t
    WHERE ${conditions.join(" AND ")} AND t.state = a.state ${sorted ?? ""}) t ${which}) t`;
}

const contents: readonly (readonly TaskContent[])[] = [
  ["artifacts"],
  ["history"],
  ["artifacts", "history"],
];

/** The checkpoint of the task `p`, or its summary if that is later and has all that is wanted. */
function checkpointOf(
  tables: Tables,
  omits: readonly TaskContent[],
): { readonly columns: string; readonly join: string } {
  const checkpoints = `(SELECT sequence, body, false AS is_summary FROM ${tables.checkpoints} WHERE task = p.task`;
  const usable = contents.filter((set) => set.every((content) => omits.includes(content)));
  const columns = "x.sequence, x.body, x.is_summary";
  if (usable.length === 0) return { columns, join: `${checkpoints}) x` };
  const spelled = usable.map((set) => `'${set.toSorted().join(" ")}'`).join(", ");
  return {
    columns,
    join: `${checkpoints} UNION ALL
      SELECT sequence, body, true FROM ${tables.summaries} WHERE task = p.task AND omits IN (${spelled})
      ORDER BY sequence DESC, is_summary LIMIT 1) x`,
  };
}
