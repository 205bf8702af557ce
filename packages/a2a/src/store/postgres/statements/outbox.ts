import type { Query } from "../../../postgres/internal.js";
import type {
  BuriedDelivery,
  ClaimedQueue,
  DeliveryKey,
  PushQueue,
  QueueClaim,
  QueuedDelivery,
  QueueSettlement,
} from "../../outbox-store.js";
import type { Place } from "../place.js";
import type { Work } from "../work.js";
import { transact, write } from "../work.js";
import type { Tables } from "../tables.js";

interface ClaimedRow extends PushQueue {
  readonly config: number;
  readonly host: string;
  readonly attempts: number;
  readonly dueAt: number;
}

/** How many due queues are looked at for each that is wanted: some may be of hosts that have enough. */
const lookAhead = 8;

/**
 * Claims due queues up to the limit of each host, and passes over those that another node takes at the same time. A host
 * that has reached its limit is left out of the next look.
 */
export async function claimQueues(
  place: Place,
  claim: QueueClaim,
): Promise<readonly ClaimedQueue[]> {
  const taken = new Map(claim.taken);
  const claimed: ClaimedRow[] = [];
  while (claimed.length < claim.limit) {
    const limit = claim.limit - claimed.length;
    const rows = await write(place, ({ session }) =>
      session.query<ClaimedRow>(claimStatement(place.tables, { ...claim, taken, limit })),
    );
    for (const { host } of rows) taken.set(host, (taken.get(host) ?? 0) + 1);
    claimed.push(...rows);
    const isHostFull = rows.some(({ host }) => (taken.get(host) ?? 0) >= claim.perHost);
    if (rows.length === 0 || !isHostFull) break;
  }
  claimed.sort((left, right) => left.dueAt - right.dueAt);
  return withDeliveries(place, claimed, claim.ahead);
}

export function claimStatement(
  tables: Tables,
  { agent, node, now, until, limit, perHost, taken }: QueueClaim,
): Query {
  return {
    name: "claim-queues",
    text: `WITH k AS MATERIALIZED (SELECT * FROM unnest($6::text[], $7::bigint[]) AS k(host, taken)),
      d AS MATERIALIZED (
        SELECT config, host, due_at FROM ${tables.push_configs}
        WHERE agent = $1 AND due_at IS NOT NULL AND due_at <= $2
          AND host NOT IN (SELECT host FROM k WHERE taken >= $5)
        ORDER BY due_at LIMIT $4::bigint * ${lookAhead}),
      p AS MATERIALIZED (
        SELECT d.config, row_number() OVER (PARTITION BY d.host ORDER BY d.due_at, d.config)
          + coalesce(k.taken, 0) AS place, d.due_at
        FROM d LEFT JOIN k USING (host)),
      l AS MATERIALIZED (
        SELECT c.config, c.due_at FROM ${tables.push_configs} c
        WHERE c.config IN (SELECT config FROM p WHERE place <= $5 ORDER BY due_at LIMIT $4)
          AND c.due_at IS NOT NULL AND c.due_at <= $2
        FOR NO KEY UPDATE SKIP LOCKED),
      u AS (
        UPDATE ${tables.push_configs} c SET attempts = c.attempts + 1, due_at = $3, claimed_by = $8
        FROM l WHERE c.config = l.config
        RETURNING c.config, c.task, c.config_id, c.host, c.attempts - 1 AS attempts, l.due_at)
      SELECT u.config, t.task_id AS "taskId", u.config_id AS "configId", u.host, u.attempts,
        u.due_at AS "dueAt" FROM u JOIN ${tables.tasks} t USING (task)`,
    values: [
      agent,
      now,
      until,
      limit,
      perHost,
      Array.from(taken.keys()),
      Array.from(taken.values()),
      node,
    ],
  };
}

/** The first deliveries of queues that are claimed. They are read after the claim, so that they are the ones that wait. */
async function withDeliveries(
  { database, tables }: Place,
  claimed: readonly ClaimedRow[],
  ahead: number,
): Promise<ClaimedQueue[]> {
  if (claimed.length === 0) return [];
  const rows = await database.read<QueuedDelivery & { readonly config: number }>({
    name: "read-deliveries",
    text: `SELECT c.config, d.sequence, d.queued_at AS "queuedAt"
      FROM unnest($1::bigint[]) AS c(config) CROSS JOIN LATERAL (
        SELECT sequence, queued_at FROM ${tables.deliveries} d WHERE d.config = c.config
        ORDER BY sequence LIMIT $2) d ORDER BY c.config, d.sequence`,
    values: [claimed.map(({ config }) => config), ahead],
  });
  const deliveries = new Map<number, QueuedDelivery[]>();
  for (const { config, sequence, queuedAt } of rows) {
    const its = deliveries.get(config);
    if (its === undefined) deliveries.set(config, [{ sequence, queuedAt }]);
    else its.push({ sequence, queuedAt });
  }
  return claimed.flatMap(({ config, taskId, configId, host, attempts }) => {
    const its = deliveries.get(config);
    return its === undefined ? [] : [{ taskId, configId, host, attempts, deliveries: its }];
  });
}

/** Locks a queue until the transaction ends, so that nothing is added to it meanwhile. */
async function lockQueue(
  { tables, session }: Work,
  { taskId, configId }: PushQueue,
): Promise<{ readonly config: number; readonly claimedBy: string | null } | undefined> {
  const [row] = await session.query<{ config: number; claimedBy: string | null }>({
    name: "lock-queue",
    text: `SELECT c.config, c.claimed_by AS "claimedBy"
      FROM ${tables.tasks} t JOIN ${tables.push_configs} c USING (task)
      WHERE t.task_id = $1 AND c.config_id = $2 FOR NO KEY UPDATE OF c`,
    values: [taskId, configId],
  });
  return row;
}

export function settleQueue(place: Place, settlement: QueueSettlement): Promise<void> {
  const { tables } = place;
  const { arrived = [], buried, release } = settlement;
  return transact(place, async (work) => {
    const queue = await lockQueue(work, settlement);
    if (queue === undefined) return;
    await work.session.query({
      name: "settle-queue",
      text: `WITH a AS (
          DELETE FROM ${tables.deliveries} WHERE config = $1 AND sequence = ANY ($2::bigint[])),
        z AS (
          DELETE FROM ${tables.buried_deliveries} WHERE config = $1 AND sequence = ANY ($2::bigint[])),
        g AS (
          DELETE FROM ${tables.deliveries}
          WHERE config = $1 AND sequence = ANY ($3::bigint[]) AND sequence <> ALL ($2::bigint[])
          RETURNING sequence),
        b AS (
          INSERT INTO ${tables.buried_deliveries} (config, sequence, reason)
          SELECT $1, sequence, $4 FROM g),
        f AS MATERIALIZED (
          SELECT min(sequence) AS first,
            min(sequence) FILTER (WHERE sequence <> ALL ($2::bigint[]) AND sequence <> ALL ($3::bigint[])) AS next
          FROM ${tables.deliveries} WHERE config = $1)
        UPDATE ${tables.push_configs} c SET
          attempts = CASE WHEN f.next IS NOT DISTINCT FROM f.first THEN c.attempts ELSE 0 END,
          due_at = CASE WHEN f.next IS NULL THEN NULL WHEN $5 THEN $6::bigint ELSE c.due_at END,
          claimed_by = CASE WHEN f.next IS NULL OR $5 THEN NULL ELSE c.claimed_by END
        FROM f WHERE c.config = $1`,
      values: [
        queue.config,
        arrived,
        buried?.sequences ?? [],
        buried?.reason ?? "",
        release !== undefined && release.node === queue.claimedBy,
        release?.dueAt ?? null,
      ],
    });
  });
}

export function reviveDelivery(
  place: Place,
  { sequence, ...key }: DeliveryKey,
  now: number,
): Promise<boolean> {
  const { tables } = place;
  return transact(place, async (work, { isDoubtful }) => {
    const queue = await lockQueue(work, key);
    if (queue === undefined) return false;
    const rows = await work.session.query({
      name: "revive-delivery",
      text: `WITH b AS (
          DELETE FROM ${tables.buried_deliveries} WHERE config = $1 AND sequence = $2 RETURNING 1),
        d AS (
          INSERT INTO ${tables.deliveries} (config, sequence, queued_at) SELECT $1, $2, $3 FROM b)
        UPDATE ${tables.push_configs} SET
          due_at = CASE WHEN claimed_by IS NULL THEN $3 ELSE coalesce(due_at, $3) END,
          attempts = CASE WHEN claimed_by IS NULL THEN 0 ELSE attempts END
        WHERE config = $1 AND EXISTS (SELECT FROM b) RETURNING 1`,
      values: [queue.config, sequence, now],
    });
    if (rows.length > 0 || !isDoubtful) return rows.length > 0;
    // An earlier try may have been carried out.
    const own = await work.session.query({
      text: `SELECT 1 FROM ${tables.deliveries} WHERE config = $1 AND sequence = $2 AND queued_at = $3`,
      values: [queue.config, sequence, now],
    });
    return own.length > 0;
  });
}

export async function nextDeliveryAt(
  { database, tables }: Place,
  agent: string,
): Promise<number | undefined> {
  const [row] = await database.read<{ dueAt: number | null }>({
    name: "next-delivery",
    text: `SELECT min(due_at) AS "dueAt" FROM ${tables.push_configs} WHERE agent = $1 AND due_at IS NOT NULL`,
    values: [agent],
  });
  return row?.dueAt ?? undefined;
}

export async function listBuried(
  { database, tables }: Place,
  query: { readonly agent: string; readonly after?: DeliveryKey; readonly limit: number },
): Promise<readonly BuriedDelivery[]> {
  const { agent, after, limit } = query;
  const next = after && " AND (t.task_id, c.config_id, b.sequence) > ($3, $4, $5::bigint)";
  return database.read<BuriedDelivery>({
    text: `SELECT t.task_id AS "taskId", c.config_id AS "configId", b.sequence, b.reason
      FROM ${tables.buried_deliveries} b JOIN ${tables.push_configs} c USING (config)
      JOIN ${tables.tasks} t USING (task)
      WHERE c.agent = $1${next ?? ""} ORDER BY t.task_id, c.config_id, b.sequence LIMIT $2`,
    values: [agent, limit, ...(after ? [after.taskId, after.configId, after.sequence] : [])],
  });
}

export async function countDeliveries(
  { database, tables }: Place,
  agent: string,
): Promise<{ readonly waiting: number; readonly buried: number }> {
  const [row] = await database.read<{ waiting: number; buried: number }>({
    text: `SELECT
      (SELECT count(*) FROM ${tables.deliveries} JOIN ${tables.push_configs} USING (config)
        WHERE agent = $1) AS waiting,
      (SELECT count(*) FROM ${tables.buried_deliveries} JOIN ${tables.push_configs} USING (config)
        WHERE agent = $1) AS buried`,
    values: [agent],
  });
  return row ?? { waiting: 0, buried: 0 };
}
