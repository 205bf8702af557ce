import type { Delivery } from "../../outbox-store.js";
import type { Connection } from "../connection.js";

/** A delivery, with its task by key. */
export interface DeliveryRow {
  readonly task: number;
  readonly configId: string;
  readonly sequence: number;
}

const isRow = "task = ? AND config_id = ? AND sequence = ?";

/** Adds one to its queue, due at once when it is its turn. */
export function insertDelivery(db: Connection, row: DeliveryRow): void {
  const { task, configId, sequence } = row;
  const first = firstOf(db, row);
  const isFirst = first === undefined || sequence < first;
  if (isFirst && first !== undefined) {
    db.run(`UPDATE deliveries SET is_first = 0 WHERE ${isRow}`, task, configId, first);
  }
  db.run(
    `INSERT INTO deliveries (task, config_id, sequence, is_first, attempts, due_at)
     VALUES (?, ?, ?, ?, 0, 0) ON CONFLICT DO NOTHING`,
    task,
    configId,
    sequence,
    isFirst ? 1 : 0,
  );
}

/** What is due, the longest due first. */
export function selectDue(
  db: Connection,
  now: number,
  limit: number,
): (Delivery & { readonly task: number })[] {
  return db.all(
    `SELECT task, task_id AS taskId, config_id AS configId, sequence, attempts
     FROM deliveries JOIN tasks USING (task)
     WHERE is_first = 1 AND due_at <= ? ORDER BY due_at LIMIT ?`,
    now,
    limit,
  );
}

/** Counts an attempt; until a moment it is not due. */
export function markAttempt(
  db: Connection,
  { task, configId, sequence }: DeliveryRow,
  until: number,
): void {
  db.run(
    `UPDATE deliveries SET attempts = attempts + 1, due_at = ? WHERE ${isRow}`,
    until,
    task,
    configId,
    sequence,
  );
}

export function postpone(
  db: Connection,
  { task, configId, sequence }: DeliveryRow,
  dueAt: number,
): void {
  db.run(`UPDATE deliveries SET due_at = ? WHERE ${isRow}`, dueAt, task, configId, sequence);
}

/** Takes one out of its queue, which makes the next the first. Answers whether it was there. */
export function removeDelivery(db: Connection, row: DeliveryRow): boolean {
  const { task, configId, sequence } = row;
  const { changes } = db.run(`DELETE FROM deliveries WHERE ${isRow}`, task, configId, sequence);
  const first = firstOf(db, row);
  if (first !== undefined && first > sequence) {
    db.run(`UPDATE deliveries SET is_first = 1 WHERE ${isRow}`, task, configId, first);
  }
  return changes > 0;
}

export function insertBuried(db: Connection, row: DeliveryRow, reason: string): void {
  db.run(
    "INSERT INTO buried_deliveries (task, config_id, sequence, reason) VALUES (?, ?, ?, ?)",
    row.task,
    row.configId,
    row.sequence,
    reason,
  );
}

/** Answers whether it was there. */
export function removeBuried(db: Connection, { task, configId, sequence }: DeliveryRow): boolean {
  return (
    db.run(`DELETE FROM buried_deliveries WHERE ${isRow}`, task, configId, sequence).changes > 0
  );
}

export function selectBuried(
  db: Connection,
  limit: number,
): { taskId: string; configId: string; sequence: number; reason: string }[] {
  return db.all(
    `SELECT task_id AS taskId, config_id AS configId, sequence, reason
     FROM buried_deliveries JOIN tasks USING (task) ORDER BY task, config_id, sequence LIMIT ?`,
    limit,
  );
}

export function selectNextDue(db: Connection): number | undefined {
  const row = db.get<{ dueAt: number | null }>(
    "SELECT min(due_at) AS dueAt FROM deliveries WHERE is_first = 1",
  );
  return row?.dueAt ?? undefined;
}

/** Deletes the deliveries of a task, all or those to one configuration, buried ones too. */
export function deleteDeliveries(db: Connection, task: number, configId?: string): void {
  for (const table of ["deliveries", "buried_deliveries"]) {
    if (configId === undefined) db.run(`DELETE FROM ${table} WHERE task = ?`, task);
    else db.run(`DELETE FROM ${table} WHERE task = ? AND config_id = ?`, task, configId);
  }
}

/** The lowest sequence in a queue. */
function firstOf(db: Connection, { task, configId }: DeliveryRow): number | undefined {
  const row = db.get<{ sequence: number | null }>(
    "SELECT min(sequence) AS sequence FROM deliveries WHERE task = ? AND config_id = ?",
    task,
    configId,
  );
  return row?.sequence ?? undefined;
}
