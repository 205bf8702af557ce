import type { Connection } from "../connection.js";

export function saveCheckpoint(
  db: Connection,
  { task, sequence, body }: { task: number; sequence: number; body: string },
): void {
  db.run(
    `INSERT INTO checkpoints (task, sequence, body) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET sequence = excluded.sequence, body = excluded.body`,
    task,
    sequence,
    body,
  );
}

export function deleteCheckpoint(db: Connection, task: number): void {
  db.run("DELETE FROM checkpoints WHERE task = ?", task);
}
