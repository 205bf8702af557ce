import { recordMembers, toRecord } from "../../rows/record-row.js";
import type { TaskContent } from "../../task-record.js";
import type { ListTasksQuery } from "../../task-store.js";
import type { Connection } from "../connection.js";
import type { SqliteValue } from "../driver.js";
import type { LogText, StoredTaskText, TaskPageText } from "../operations.js";
import { omitted } from "./checkpoints.js";
import { fitTail, maxEntries, selectTail } from "./log.js";
import type { Tail } from "./log.js";
import { lastSequence, recordColumns } from "./tasks.js";
import type { TaskRow } from "./tasks.js";

/** A record and its checkpoint, if there is one. */
interface StoredRow extends TaskRow {
  readonly checkpoint: number | null;
  readonly body: string | null;
}

/** What is known of a task of a page before it is read. */
interface TaskPlan {
  readonly task: number;
  /** The last entry of its log. */
  readonly sequence: number;
  /** The entry that its checkpoint, or its summary, is as of; 0 without one. */
  readonly checkpoint: number;
  readonly checkpointBytes: number;
  readonly isSummary: boolean;
  /** The size of the log after the checkpoint, or of its first `maxEntries`. */
  readonly tailBytes: number;
}

type PlanTuple = readonly [number, number, number, number, number, number];

function toPlan([
  task,
  sequence,
  checkpoint,
  checkpointBytes,
  summary,
  tailBytes,
]: PlanTuple): TaskPlan {
  return { task, sequence, checkpoint, checkpointBytes, isSummary: summary === 1, tailBytes };
}

/** The tasks of a page, as three values: each value that leaves SQLite costs more than so much text. */
interface PlannedPage extends Pick<TaskPageText, "records" | "contents"> {
  readonly plans: readonly TaskPlan[];
}

/** Checkpoints and tails up to this size are read with the records of a page, before it is known whether they fit. */
const smallBytes = 4096;

/** Selects the tasks of the table `page`, which the statement begins with. */
export function selectPage(
  db: Connection,
  page: { readonly sql: string; readonly values: readonly SqliteValue[] },
  query: Pick<ListTasksQuery, "omits" | "order">,
): PlannedPage {
  const { omits = [] } = query;
  const row = db.get<{ records: string; plans: string; contents: string }>(
    `${page.sql}, planned AS (
       SELECT tasks.*, tenant, subject, ${lastSequence} AS sequence, ${checkpointsWithout(omits)}
       FROM page CROSS JOIN tasks USING (task) JOIN scopes USING (scope)
       LEFT JOIN checkpoints ON checkpoints.task = tasks.task
       LEFT JOIN summaries ON summaries.task = tasks.task
       ORDER BY ${orderOf(query, "tasks.")}
     ), sized AS (
       SELECT *, iif(sequence > checkpoint, (
         SELECT coalesce(sum(octet_length(events)), 0) FROM log WHERE log.task = planned.task
           AND log.sequence > checkpoint AND log.sequence <= checkpoint + ${maxEntries}), 0) AS tail_bytes
       FROM planned
     )
     SELECT json_group_array(json_array(${recordMembers.join(", ")})) AS records,
       json_group_array(json_array(task, sequence, checkpoint, checkpoint_bytes, is_summary, tail_bytes)) AS plans,
       group_concat(iif(body IS NULL OR tail_bytes > ${smallBytes} OR sequence > checkpoint + ${maxEntries},
         'null', '[' || body || ',' || checkpoint || iif(sequence > checkpoint,
           coalesce((${joinedTail("sized.task", "checkpoint", "sized.sequence")}), ''), '') || ']')) AS contents
     FROM sized`,
    ...page.values,
  );
  const plans = JSON.parse(row?.plans ?? "[]") as readonly PlanTuple[];
  return {
    records: row?.records ?? "[]",
    plans: plans.map(toPlan),
    contents: row?.contents ?? "",
  };
}

/** The order of a list, by the columns of a table. */
export function orderOf({ order }: Pick<ListTasksQuery, "order">, table = ""): string {
  const way = order === "oldest" ? "" : " DESC";
  return `${table}status_at${way}, ${table}task_id${way}`;
}

/** A tail as the rest of an array: what is in a `LogText`. */
function joinedTail(task: string, after: string, last: string): string {
  return `SELECT ',' || min(sequence) || ',' || at || ',' || group_concat(events, ',' || at || ',')
    FROM (SELECT sequence, at, events FROM log
      WHERE log.task = ${task} AND log.sequence > ${after} AND log.sequence <= ${last} ORDER BY sequence)`;
}

/**
 * The columns of the checkpoint of a task, or of its summary if that is later and has all that a reader wants. The body
 * is there only if it is small.
 */
function checkpointsWithout(omits: readonly TaskContent[]): string {
  const usable = summariesWithout(omits).map((content) => `'${content}'`);
  const isSummary = `(omits IN (${usable.join(", ")})
    AND summaries.sequence > coalesce(checkpoints.sequence, 0)) IS TRUE`;
  const either = (column: (table: string) => string, none: string): string =>
    `iif(${isSummary}, ${column("summaries")}, coalesce(${column("checkpoints")}, ${none}))`;
  const bytes = either((table) => `octet_length(${table}.body)`, "0");
  return `${either((table) => `${table}.sequence`, "0")} AS checkpoint,
    ${bytes} AS checkpoint_bytes, ${isSummary} AS is_summary,
    iif(${bytes} <= ${smallBytes}, ${either((table) => `${table}.body`, "'null'")}, NULL) AS body`;
}

const contents: readonly (readonly TaskContent[])[] = [
  ["artifacts"],
  ["history"],
  ["artifacts", "history"],
];

/** What summaries may omit that serve a reader who can do without some content. */
function summariesWithout(omits: readonly TaskContent[]): string[] {
  return contents.filter((set) => set.every((content) => omits.includes(content))).map(omitted);
}

export function selectStored(
  db: Connection,
  taskId: string,
  maxBytes: number,
): StoredTaskText | undefined {
  const row = db.get<StoredRow>(
    `SELECT ${recordColumns}, checkpoints.sequence AS checkpoint, body
     FROM tasks JOIN scopes USING (scope) LEFT JOIN checkpoints ON checkpoints.task = tasks.task
     WHERE task_id = ?`,
    taskId,
  );
  if (row === undefined) return undefined;
  const after = row.checkpoint ?? 0;
  const tail = { task: row.task, after, last: row.sequence };
  const { body } = row;
  return {
    record: toRecord(row),
    ...(body !== null && { checkpoint: { sequence: after, body } }),
    tail: row.sequence > after ? selectTail(db, cut(db, tail, maxBytes)) : emptyLog,
  };
}

function cut(db: Connection, tail: Tail, maxBytes: number): Tail {
  return maxBytes === Infinity ? tail : fitTail(db, tail, maxBytes);
}

/**
 * Loads the first tasks of a page that are not small: up to a size for the whole page, but at least one task, and each with
 * its tail up to that size. Nothing is read before it is known to fit. Returns their contents by their places, and how
 * many tasks the page has.
 */
export function loadLarge(
  db: Connection,
  plans: readonly TaskPlan[],
  maxBytes: number,
): { readonly large: ReadonlyMap<number, string>; readonly count: number } {
  const large = new Map<number, string>();
  let total = 0;
  for (const [place, plan] of plans.entries()) {
    const { task, sequence, checkpoint: after, checkpointBytes, tailBytes } = plan;
    const isLong = sequence - after > maxEntries;
    const isCut = maxBytes !== Infinity && (isLong || tailBytes > maxBytes);
    const whole = { task, after, last: sequence, bytes: tailBytes };
    const tail = isCut ? fitTail(db, whole, maxBytes) : whole;
    total += checkpointBytes + tail.bytes;
    if (place > 0 && total > maxBytes) return { large, count: place };
    const isSmall = checkpointBytes <= smallBytes && tailBytes <= smallBytes && !isLong;
    if (!isSmall) large.set(place, selectContent(db, plan, tail));
  }
  return { large, count: plans.length };
}

function selectContent(db: Connection, plan: TaskPlan, { task, after, last }: Tail): string {
  const table = plan.isSummary ? "summaries" : "checkpoints";
  const sql = `SELECT body FROM ${table} WHERE task = ?`;
  const { body = "null" } = db.get<{ body: string }>(sql, task) ?? {};
  if (last === after) return `[${body},${after}]`;
  const { upto, at, events } = selectTail(db, { task, after, last });
  return `[${body},${after},${upto},${at},${events}]`;
}

const emptyLog: LogText = { upto: 0, at: 0, events: "" };
