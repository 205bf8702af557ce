import type { Task } from "../../../protocol/internal.js";
import type { StoredTask, TaskRecord } from "../../task-record.js";
import { toEntries } from "../log-text.js";
import type { TailText } from "../log-text.js";
import type { Place } from "../place.js";
import { isEach } from "../tables.js";
import { fitRows, joinRows } from "./log.js";
import { toRecord } from "../../rows/record-row.js";
import type { RecordRow } from "../../rows/record-row.js";
import { recordColumns } from "./records.js";

/** A record, its checkpoint, if there is one, and the rows of its log after that. */
export interface StoredRow extends RecordRow, TailText {
  readonly checkpoint: number | null;
  readonly body: string | null;
}

export interface LoadRequest {
  readonly taskId: string;
  readonly maxBytes: number | undefined;
}

/** Loads many tasks in one statement, so as of one moment. Resolves with them in the order of the requests. */
export async function loadTasks(
  { database, tables }: Place,
  requests: readonly LoadRequest[],
): Promise<readonly (StoredTask | undefined)[]> {
  const isCut = requests.some(({ maxBytes }) => maxBytes !== undefined);
  const after = "coalesce(k.sequence, 0)";
  const fitting = isCut
    ? `CROSS JOIN LATERAL (${fitRows(tables, "t.task", after, "r.max_bytes")}) f`
    : "";
  const more = isCut ? " AND (r.max_bytes IS NULL OR l.sequence <= f.last)" : "";
  const rows = await database.read<StoredRow & { readonly ord: number }>({
    name: isCut ? "load-cut" : "load",
    text: `SELECT r.ord, ${recordColumns}, k.sequence AS checkpoint, k.body, l.places, l.events
      FROM unnest($1::text[]${isCut ? ", $2::bigint[]" : ""})
        WITH ORDINALITY AS r(task_id${isCut ? ", max_bytes" : ""}, ord)
      JOIN ${tables.tasks} t ON ${isEach("t.task_id", "r.task_id")} JOIN ${tables.scopes} s ON s.scope = t.scope
      LEFT JOIN ${tables.checkpoints} k ON k.task = t.task
      ${fitting}
      CROSS JOIN LATERAL (${joinRows(tables, "t.task", after, more)}) l`,
    values: [
      requests.map(({ taskId }) => taskId),
      ...(isCut ? [requests.map(({ maxBytes }) => maxBytes ?? null)] : []),
    ],
  });
  const found = new Map(rows.map((row) => [row.ord, row]));
  return requests.map((_, index) => {
    const row = found.get(index + 1);
    return row && toStored(row);
  });
}

export function toStored(row: StoredRow): StoredTask {
  const { checkpoint, body } = row;
  const tail = toEntries(row, checkpoint ?? 0);
  if (checkpoint === null || body === null) return { record: toRecord(row), tail };
  const task = JSON.parse(body) as Task;
  return { record: toRecord(row), checkpoint: { sequence: checkpoint, task }, tail };
}

export async function loadRecords(
  { database, tables }: Place,
  taskIds: readonly string[],
): Promise<readonly (TaskRecord | undefined)[]> {
  const rows = await database.read<RecordRow & { readonly ord: number }>({
    name: "load-records",
    text: `SELECT r.ord, ${recordColumns} FROM unnest($1::text[]) WITH ORDINALITY AS r(task_id, ord)
      JOIN ${tables.tasks} t ON ${isEach("t.task_id", "r.task_id")} JOIN ${tables.scopes} s ON s.scope = t.scope`,
    values: [taskIds],
  });
  const found = new Map(rows.map((row) => [row.ord, row]));
  return taskIds.map((_, index) => {
    const row = found.get(index + 1);
    return row && toRecord(row);
  });
}
