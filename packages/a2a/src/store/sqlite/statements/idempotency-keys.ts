import type { IdempotencyClaim } from "../../append.js";
import type { Owner } from "../../task-record.js";
import type { Connection } from "../connection.js";

export interface KeyOwner extends Owner {
  readonly key: string;
}

export interface KeyRow {
  readonly requestHash: string;
  readonly expiresAt: number;
  readonly taskId: string | null;
  readonly reply: string | null;
}

export function selectKey(db: Connection, { tenant, subject, key }: KeyOwner): KeyRow | undefined {
  return db.get(
    `SELECT request_hash AS requestHash, expires_at AS expiresAt, task_id AS taskId, reply
     FROM idempotency_keys LEFT JOIN tasks USING (task)
     WHERE tenant = ? AND subject = ? AND key = ?`,
    tenant,
    subject,
    key,
  );
}

export function insertKey(
  db: Connection,
  { tenant, subject }: Owner,
  { key, requestHash, expiresAt }: IdempotencyClaim,
  result: { readonly task?: number; readonly reply?: string },
): void {
  db.run(
    `INSERT INTO idempotency_keys (tenant, subject, key, request_hash, expires_at, task, reply)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    tenant,
    subject,
    key,
    requestHash,
    expiresAt,
    result.task ?? null,
    result.reply ?? null,
  );
}

/** Deletes at most `limit` keys that are expired at `now`. Returns how many. */
export function deleteExpiredKeys(db: Connection, now: number, limit: number): number {
  return db.run(
    `DELETE FROM idempotency_keys WHERE (tenant, subject, key) IN (
       SELECT tenant, subject, key FROM idempotency_keys WHERE expires_at <= ? LIMIT ?
     )`,
    now,
    limit,
  ).changes;
}

export function deleteKeysOf(db: Connection, task: number): void {
  db.run("DELETE FROM idempotency_keys WHERE task = ?", task);
}
