import { toRecord } from "../../rows/record-row.js";
import type { TaskContent } from "../../task-record.js";
import type { Connection } from "../connection.js";
import type { LogText, StoredTaskText } from "../operations.js";
import { omitted } from "./checkpoints.js";
import { fitTails, selectTail } from "./log.js";
import type { Tail } from "./log.js";
import { recordColumns } from "./tasks.js";
import type { TaskRow } from "./tasks.js";

/** A record and its checkpoint, if there is one. */
interface StoredRow extends TaskRow {
  readonly checkpoint: number | null;
  readonly body: string | null;
}

/** A record, and which checkpoint it has, of which size. */
export interface PlannedRow extends TaskRow {
  readonly checkpoint: number | null;
  readonly checkpoint_bytes: number | null;
  /** 1 when the checkpoint is a summary. */
  readonly is_summary: number;
}

/** The columns of a `PlannedRow` in a list that can do without some content, and the tables they come from. */
export function plannedRows(omits: readonly TaskContent[]): {
  readonly columns: string;
  readonly tables: string;
} {
  const tables = `tasks JOIN scopes USING (scope)
    LEFT JOIN checkpoints ON checkpoints.task = tasks.task`;
  const bytes = "octet_length(checkpoints.body)";
  const summaries = summariesWithout(omits);
  if (summaries.length === 0) {
    const columns = `checkpoints.sequence AS checkpoint, ${bytes} AS checkpoint_bytes, 0 AS is_summary`;
    return { columns: `${recordColumns}, ${columns}`, tables };
  }
  return {
    columns: `${recordColumns}, coalesce(summaries.sequence, checkpoints.sequence) AS checkpoint,
      CASE WHEN summaries.task IS NULL THEN ${bytes} ELSE octet_length(summaries.body) END
        AS checkpoint_bytes,
      summaries.task IS NOT NULL AS is_summary`,
    tables: `${tables} LEFT JOIN summaries ON summaries.task = tasks.task
      AND summaries.sequence > coalesce(checkpoints.sequence, 0)
      AND omits IN (${summaries.map((omits) => `'${omits}'`).join(", ")})`,
  };
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
  const [tail] = tailsOf(db, [row], maxBytes);
  return toStored(db, row, { body: row.body ?? undefined, tail });
}

/**
 * Loads the first of some tasks: up to a size, but at least one, and each with its tail up to that size. Nothing is
 * read before it is known to fit.
 */
export function loadFirst(
  db: Connection,
  rows: readonly PlannedRow[],
  maxBytes: number,
): StoredTaskText[] {
  const tails = tailsOf(db, rows, maxBytes);
  const first = maxBytes === Infinity ? rows : takeFitting(rows, tails, maxBytes);
  const bodies = selectBodies(db, first);
  const tailOf = new Map(tails.map((tail) => [tail.task, tail]));
  return first.map((row) =>
    toStored(db, row, { body: bodies.get(row.task), tail: tailOf.get(row.task) }),
  );
}

/** The tails of some tasks, each cut to a size. */
function tailsOf(
  db: Connection,
  rows: readonly Pick<PlannedRow, "task" | "sequence" | "checkpoint">[],
  maxBytes: number,
): (Tail & { readonly bytes?: number })[] {
  const tails: Tail[] = [];
  for (const { task, sequence, checkpoint } of rows) {
    const after = checkpoint ?? 0;
    if (sequence > after) tails.push({ task, after, last: sequence });
  }
  if (tails.length === 0 || maxBytes === Infinity) return tails;
  return Array.from(fitTails(db, tails, maxBytes).values());
}

function takeFitting(
  rows: readonly PlannedRow[],
  tails: readonly (Tail & { readonly bytes?: number })[],
  maxBytes: number,
): readonly PlannedRow[] {
  const tailBytes = new Map(tails.map(({ task, bytes = 0 }) => [task, bytes]));
  let total = 0;
  const end = rows.findIndex(({ task, checkpoint_bytes }, index) => {
    total += (checkpoint_bytes ?? 0) + (tailBytes.get(task) ?? 0);
    return index > 0 && total > maxBytes;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** The bodies of checkpoints and summaries, by task. */
function selectBodies(db: Connection, rows: readonly PlannedRow[]): Map<number, string> {
  const bodies = new Map<number, string>();
  for (const [table, isSummary] of [
    ["checkpoints", 0],
    ["summaries", 1],
  ] as const) {
    const tasks = rows.flatMap(({ task, checkpoint, is_summary }) =>
      checkpoint !== null && is_summary === isSummary ? [task] : [],
    );
    if (tasks.length === 0) continue;
    const found = db.all<{ task: number; body: string }>(
      `SELECT task, body FROM ${table} WHERE task IN (SELECT value FROM json_each(?))`,
      JSON.stringify(tasks),
    );
    for (const { task, body } of found) bodies.set(task, body);
  }
  return bodies;
}

function toStored(
  db: Connection,
  row: TaskRow & Pick<PlannedRow, "checkpoint">,
  { body, tail }: { readonly body: string | undefined; readonly tail: Tail | undefined },
): StoredTaskText {
  const { checkpoint } = row;
  return {
    record: toRecord(row),
    ...(checkpoint !== null &&
      body !== undefined && { checkpoint: { sequence: checkpoint, body } }),
    tail: tail === undefined ? emptyLog : selectTail(db, tail),
  };
}

const emptyLog: LogText = { upto: 0, at: 0, events: "" };
