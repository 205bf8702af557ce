import type { Message } from "../../../protocol/internal.js";
import type { IdempotencyClaim } from "../../append.js";
import type { IdempotentResult, ReplyClaim } from "../../idempotency-store.js";
import { StoreConflict } from "../../store-conflict.js";
import type { Head } from "../../store-conflict.js";
import { limitsUsage } from "../../store-limits.js";
import type { StoreLimits } from "../../store-limits.js";
import type { Scope } from "../../task-record.js";
import { changeCounters } from "./counters.js";
import type { Place } from "../place.js";
import type { Work } from "../work.js";
import { transact, write } from "../work.js";
import { checkUsageLimit, lockUsage } from "./limits.js";

/** A second key whose first one is gone leads nowhere, and is free. */
function leadsSomewhere({ tables }: Place, key: string): string {
  return `(${key}.leads_to IS NULL OR EXISTS (
    SELECT FROM ${tables.idempotency_keys} f WHERE f.scope = ${key}.scope AND f.key = ${key}.leads_to))`;
}

export async function isKeyTaken(work: Work, scope: number, key: string): Promise<boolean> {
  const rows = await work.session.query({
    name: "find-key",
    text: `SELECT 1 FROM ${work.tables.idempotency_keys} k
      WHERE scope = $1 AND key = $2 AND ${leadsSomewhere(work, "k")}`,
    values: [scope, key],
  });
  return rows.length > 0;
}

interface NewKey {
  readonly claim: IdempotencyClaim;
  readonly task?: number;
  readonly reply?: string;
  /** Where the log of the task stood, if there was one. */
  readonly head?: Head | undefined;
}

/** Inserts a key that leads to a task or to a reply. Throws when another transaction took it a moment ago. */
export async function insertKey(
  work: Work,
  scope: number,
  { claim, task, reply, head }: NewKey,
): Promise<void> {
  const rows = await work.session.query({
    name: "insert-key",
    text: `INSERT INTO ${work.tables.idempotency_keys} AS k
        (scope, key, request_hash, expires_at, task, reply, bytes) VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (scope, key) DO UPDATE SET request_hash = excluded.request_hash,
        expires_at = excluded.expires_at, task = excluded.task, reply = excluded.reply,
        leads_to = NULL, bytes = excluded.bytes
      WHERE NOT ${leadsSomewhere(work, "k")} RETURNING 1`,
    values: [
      scope,
      claim.key,
      claim.requestHash,
      claim.expiresAt,
      task ?? null,
      reply ?? null,
      reply?.length ?? 0,
    ],
  });
  if (rows.length === 0) throw taken(claim.key, head);
}

export async function loadIdempotentResult(
  { database, tables }: Place,
  { tenant, subject, agent }: Scope,
  key: string,
  now: number,
): Promise<IdempotentResult | undefined> {
  const [row] = await database.read<{
    requestHash: string;
    taskId: string | null;
    reply: string | null;
  }>({
    name: "load-key",
    text: `SELECT r.request_hash AS "requestHash", t.task_id AS "taskId", r.reply
      FROM ${tables.scopes} s JOIN ${tables.idempotency_keys} k ON k.scope = s.scope AND k.key = $4
      JOIN ${tables.idempotency_keys} r ON r.scope = k.scope AND r.key = coalesce(k.leads_to, k.key)
      LEFT JOIN ${tables.tasks} t ON t.task = r.task
      WHERE s.tenant = $1 AND s.subject = $2 AND s.agent = $3 AND k.expires_at > $5 AND r.expires_at > $5`,
    values: [tenant, subject, agent, key, now],
  });
  if (row === undefined) return undefined;
  return {
    requestHash: row.requestHash,
    ...(row.taskId !== null && { taskId: row.taskId }),
    ...(row.reply !== null && { reply: JSON.parse(row.reply) as Message }),
  };
}

interface KeptReply {
  readonly whose: Scope;
  readonly claim: ReplyClaim;
  readonly reply: Message;
  readonly limits: StoreLimits | undefined;
}

export async function saveReply(
  place: Place,
  { whose, claim, reply, limits = {} }: KeptReply,
): Promise<void> {
  const { tables, shards } = place;
  const scope = await place.scopes.find(whose);
  const text = JSON.stringify(reply);
  await transact(place, async (work, { isDoubtful }) => {
    if (limitsUsage(limits)) await lockUsage(work, whose);
    if (await isKeyTaken(work, scope, claim.key)) {
      if (isDoubtful && (await isOwn(work, scope, { claim, reply: text }))) return;
      throw taken(claim.key);
    }
    if (limitsUsage(limits)) await checkUsageLimit(work, scope, limits, "task");
    await insertKey(work, scope, { claim, reply: text });
    if (claim.alias !== undefined) {
      await work.session.query({
        name: "insert-second-key",
        text: `INSERT INTO ${tables.idempotency_keys}
          (scope, key, request_hash, expires_at, leads_to) VALUES ($1, $2, $3, $4, $5)
          ON CONFLICT DO NOTHING`,
        values: [scope, claim.alias, claim.requestHash, claim.expiresAt, claim.key],
      });
    }
    await work.session.query({
      name: "count-reply",
      text: changeCounters(
        tables,
        "SELECT $1::bigint AS scope, -1 AS state, 1 AS tasks, $3::bigint AS bytes",
      ),
      values: [scope, shards.others, text.length],
    });
  });
}

/** Whether a key that is taken leads to this very reply: an earlier try was committed after all. */
async function isOwn(
  { tables, session }: Work,
  scope: number,
  { claim, reply }: { readonly claim: ReplyClaim; readonly reply: string },
): Promise<boolean> {
  const rows = await session.query({
    text: `SELECT 1 FROM ${tables.idempotency_keys} WHERE scope = $1 AND key = $2
      AND request_hash = $3 AND expires_at = $4 AND reply = $5`,
    values: [scope, claim.key, claim.requestHash, claim.expiresAt, reply],
  });
  return rows.length > 0;
}

export function deleteExpiredKeys(place: Place, now: number, limit: number): Promise<number> {
  const { tables, shards } = place;
  return write(place, async ({ session }) => {
    const [row] = await session.query<{ deleted: number }>({
      name: "delete-keys",
      text: `WITH e AS MATERIALIZED (
          SELECT scope, key FROM ${tables.idempotency_keys} WHERE expires_at <= $1
          ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED),
        d AS (
          DELETE FROM ${tables.idempotency_keys} k USING e WHERE k.scope = e.scope AND k.key = e.key
          RETURNING k.scope, k.reply IS NOT NULL AS is_reply, k.bytes),
        q AS (${changeCounters(
          tables,
          "SELECT scope, -1 AS state, -1 AS tasks, -bytes AS bytes FROM d WHERE is_reply",
        )})
        SELECT count(*) AS deleted FROM d`,
      values: [now, shards.others, limit],
    });
    return row?.deleted ?? 0;
  });
}

function taken(key: string, head?: Head): StoreConflict {
  return new StoreConflict(`idempotency key ${JSON.stringify(key)} is taken`, head);
}
