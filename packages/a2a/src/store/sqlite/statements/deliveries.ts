import type { QueuedDelivery } from "../../outbox-store.js";
import type { Connection } from "../connection.js";

export function insertDelivery(
  db: Connection,
  config: number,
  { sequence, queuedAt }: QueuedDelivery,
): void {
  db.run(
    "INSERT INTO deliveries (config, sequence, queued_at) VALUES (?, ?, ?)",
    config,
    sequence,
    queuedAt,
  );
}

/** The first deliveries of a queue. */
export function selectDeliveries(db: Connection, config: number, limit: number): QueuedDelivery[] {
  return db.all(
    `SELECT sequence, queued_at AS queuedAt FROM deliveries WHERE config = ?
     ORDER BY sequence LIMIT ?`,
    config,
    limit,
  );
}

export function selectFirst(db: Connection, config: number): number | undefined {
  const row = db.get<{ sequence: number | null }>(
    "SELECT min(sequence) AS sequence FROM deliveries WHERE config = ?",
    config,
  );
  return row?.sequence ?? undefined;
}

/** Returns whether there was one. */
export function deleteDelivery(db: Connection, config: number, sequence: number): boolean {
  return (
    db.run("DELETE FROM deliveries WHERE config = ? AND sequence = ?", config, sequence).changes > 0
  );
}

export function insertBuried(
  db: Connection,
  row: { readonly config: number; readonly sequence: number; readonly reason: string },
): void {
  db.run(
    "INSERT INTO buried_deliveries (config, sequence, reason) VALUES (?, ?, ?)",
    row.config,
    row.sequence,
    row.reason,
  );
}

/** Returns whether there was one. */
export function deleteBuried(db: Connection, config: number, sequence: number): boolean {
  const { changes } = db.run(
    "DELETE FROM buried_deliveries WHERE config = ? AND sequence = ?",
    config,
    sequence,
  );
  return changes > 0;
}
