import type { TaskContent } from "../../task-record.js";
import type { Connection } from "../connection.js";
import { NewRows } from "./new-rows.js";

export function newCheckpoints(): NewRows {
  return new NewRows(
    "checkpoints (task, sequence, body)",
    "ON CONFLICT DO UPDATE SET sequence = excluded.sequence, body = excluded.body",
  );
}

export interface SummaryRow {
  readonly task: number;
  readonly sequence: number;
  readonly omits: readonly TaskContent[];
  readonly body: string;
}

export function saveSummary(db: Connection, { task, sequence, omits, body }: SummaryRow): void {
  db.run(
    `INSERT INTO summaries (task, sequence, omits, body) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET sequence = excluded.sequence, omits = excluded.omits, body = excluded.body`,
    task,
    sequence,
    omitted(omits),
    body,
  );
}

/** The content that a summary omits, as it is stored. */
export function omitted(omits: readonly TaskContent[]): string {
  return omits.toSorted().join(" ");
}

/** Deletes the checkpoint and the summary of a task. */
export function deleteCheckpoint(db: Connection, task: number): void {
  db.run("DELETE FROM checkpoints WHERE task = ?", task);
  db.run("DELETE FROM summaries WHERE task = ?", task);
}
