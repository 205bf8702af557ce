import type { IdempotencyClaim } from "../../append.js";
import type { Connection } from "../connection.js";

export interface KeyRow {
  readonly requestHash: string;
  readonly expiresAt: number;
  readonly taskId: string | null;
  readonly reply: string | null;
}

export function selectKey(db: Connection, scope: number, key: string): KeyRow | undefined {
  const row = db.get<KeyRow>(
    `SELECT request_hash AS requestHash, expires_at AS expiresAt, task_id AS taskId, reply
     FROM idempotency_keys LEFT JOIN tasks USING (task)
     WHERE idempotency_keys.scope = ? AND key = ?`,
    scope,
    key,
  );
  const isAlias = row?.taskId === null && row.reply === null;
  return isAlias ? selectKey(db, scope, row.requestHash) : row;
}

/** Inserts a second key for a reply: a row with neither, and with the first key as its hash. */
export function insertAlias(
  db: Connection,
  scope: number,
  alias: string,
  { key, expiresAt }: IdempotencyClaim,
): void {
  db.run(
    `INSERT OR IGNORE INTO idempotency_keys (scope, key, request_hash, expires_at, bytes)
     VALUES (?, ?, ?, ?, 0)`,
    scope,
    alias,
    key,
    expiresAt,
  );
}

/** Inserts a key that is free. Only an alias whose reply was deleted before it may be in the way. */
export function insertKey(
  db: Connection,
  scope: number,
  { key, requestHash, expiresAt }: IdempotencyClaim,
  result: { readonly task: number } | { readonly reply: string },
): void {
  const [task, reply] = "task" in result ? [result.task, null] : [null, result.reply];
  db.run(
    `INSERT OR REPLACE INTO idempotency_keys
       (scope, key, request_hash, expires_at, task, reply, bytes)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    scope,
    key,
    requestHash,
    expiresAt,
    task,
    reply,
    reply?.length ?? 0,
  );
}

interface ExpiredKey {
  readonly scope: number;
  readonly key: string;
  /** 1 if the key is the one under which a reply counts. */
  readonly isReply: 0 | 1;
  readonly bytes: number;
}

/** At most `limit` keys that are expired at `now`. */
export function selectExpiredKeys(db: Connection, now: number, limit: number): ExpiredKey[] {
  return db.all(
    `SELECT scope, key, reply IS NOT NULL AS isReply, bytes
     FROM idempotency_keys WHERE expires_at <= ? LIMIT ?`,
    now,
    limit,
  );
}

export function deleteKey(db: Connection, { scope, key }: Pick<ExpiredKey, "scope" | "key">): void {
  db.run("DELETE FROM idempotency_keys WHERE scope = ? AND key = ?", scope, key);
}

export function deleteKeysOf(db: Connection, task: number): void {
  db.run("DELETE FROM idempotency_keys WHERE task = ?", task);
}
