import type { Query } from "../../../postgres/internal.js";
import { changeCounters } from "./counters.js";
import type { Place } from "../place.js";
import { transact } from "../work.js";
import { ended } from "../tables.js";
import type { Tables } from "../tables.js";

/** Locks tasks that ended before a time, the earliest first, and passes over those that somebody else has locked. */
export function lockEnded(tables: Tables, before: number, limit: number): Query {
  return {
    name: "lock-ended",
    text: `SELECT task FROM ${tables.tasks} WHERE state IN ${ended} AND status_at < $1
      ORDER BY status_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
    values: [before, limit],
  };
}

/**
 * Deletes tasks that ended before a time, with all their rows in other tables. Returns how many. They are locked by a
 * statement of its own, so that the next one sees everything that belongs to them.
 */
export function deleteEnded(place: Place, before: number, limit: number): Promise<number> {
  const { tables, shards } = place;
  return transact(place, async ({ session }) => {
    const rows = await session.query<{ task: number }>(lockEnded(tables, before, limit));
    if (rows.length === 0) return 0;
    const belongings = (
      ["log", "checkpoints", "summaries", "message_ids", "idempotency_keys"] as const
    )
      .map(
        (name) => `${name}_gone AS (DELETE FROM ${tables[name]} WHERE task = ANY ($1::bigint[]))`,
      )
      .join(", ");
    await session.query({
      name: "delete-ended",
      text: `WITH ${belongings},
        c AS (DELETE FROM ${tables.push_configs} WHERE task = ANY ($1::bigint[]) RETURNING config, task, bytes),
        d AS (DELETE FROM ${tables.deliveries} d USING c WHERE d.config = c.config),
        b AS (DELETE FROM ${tables.buried_deliveries} b USING c WHERE b.config = c.config),
        t AS (DELETE FROM ${tables.tasks} WHERE task = ANY ($1::bigint[]) RETURNING task, scope, state, bytes)
        ${changeCounters(
          tables,
          `SELECT scope, state, -1 AS tasks, -bytes AS bytes FROM t
          UNION ALL SELECT t.scope, -2, 0, -c.bytes FROM c JOIN t USING (task)`,
        )}`,
      values: [rows.map(({ task }) => task), shards.others],
    });
    return rows.length;
  });
}
