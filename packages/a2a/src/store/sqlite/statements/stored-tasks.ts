import type { Connection } from "../connection.js";
import type { StoredTaskText } from "../operations.js";
import { selectTails } from "./log.js";
import type { Tail } from "./log.js";
import { recordColumns, toRecord } from "./tasks.js";
import type { RecordRow } from "./tasks.js";

/** A record and its checkpoint, if there is one. */
export interface StoredRow extends RecordRow {
  readonly checkpoint: number | null;
  readonly body: string | null;
}

/** The columns of a `StoredRow`, and the tables they come from. */
export const storedColumns: string = `${recordColumns}, checkpoints.sequence AS checkpoint, body`;
export const storedTables = `tasks JOIN scopes USING (scope)
  LEFT JOIN checkpoints ON checkpoints.task = tasks.task`;

export function selectStored(db: Connection, taskId: string): StoredTaskText | undefined {
  const row = db.get<StoredRow>(
    `SELECT ${storedColumns} FROM ${storedTables} WHERE task_id = ?`,
    taskId,
  );
  return row && withTails(db, [row])[0];
}

/** Adds the entries after the checkpoints, with one statement for all tasks. */
export function withTails(db: Connection, rows: readonly StoredRow[]): StoredTaskText[] {
  const tails: Tail[] = [];
  for (const { task, sequence, checkpoint } of rows) {
    if (sequence > (checkpoint ?? 0)) tails.push({ task, after: checkpoint ?? 0 });
  }
  const events = tails.length > 0 ? selectTails(db, tails) : undefined;
  return rows.map((row) => ({
    record: toRecord(row),
    ...(row.checkpoint !== null &&
      row.body !== null && { checkpoint: { sequence: row.checkpoint, body: row.body } }),
    tail: events?.get(row.task) ?? "",
  }));
}
