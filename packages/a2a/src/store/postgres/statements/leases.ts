import type { Query } from "../../../postgres/internal.js";
import type {
  Claim,
  ClaimedTask,
  ClaimTerms,
  NodeInfo,
  NodeRecord,
  Renewal,
} from "../../lease-store.js";
import type { Place } from "../place.js";
import { write } from "../work.js";
import { ended } from "../tables.js";
import type { Tables } from "../tables.js";

/** Nodes whose leases ended this long ago are deleted. A node without a lease counts as dead. */
const forgottenAfterMs = 24 * 60 * 60 * 1000;

/** How often a new node asks for a slot that another new node takes at the same time. */
const maxTries = 20;

export async function renewNode(
  place: Place,
  node: string,
  forMs: number,
  { agent, revision, version, address, isUnheard = false }: NodeInfo,
): Promise<Renewal> {
  const { tables, shards, clock } = place;
  const query = {
    name: "renew-node",
    text: `WITH n AS MATERIALIZED (SELECT ${tables.now} AS now),
      gone AS (DELETE FROM ${tables.nodes} d USING n WHERE d.until < n.now - ${forgottenAfterMs} AND d.node <> $1),
      r AS (
        INSERT INTO ${tables.nodes} AS o (node, slot, until, agent, revision, version, address, is_unheard)
        SELECT $1, (SELECT min(f) FROM generate_series(0, (SELECT count(*) FROM ${tables.nodes})) f
            WHERE f NOT IN (SELECT slot FROM ${tables.nodes})),
          n.now + $2::bigint, $3, $4, $5, $6, $7 FROM n
        ON CONFLICT (node) DO UPDATE SET until = excluded.until, agent = excluded.agent,
          revision = excluded.revision, version = excluded.version, address = excluded.address,
          is_unheard = excluded.is_unheard
        RETURNING slot, is_draining)
      SELECT n.now, r.slot, r.is_draining AS "isDraining",
        o.nodes + 1 AS nodes, o.unheard + $7::boolean::int AS unheard
      FROM n CROSS JOIN r CROSS JOIN LATERAL (
        SELECT count(*) AS nodes, count(*) FILTER (WHERE o.is_unheard) AS unheard
        FROM ${tables.nodes} o WHERE o.agent = $3 AND o.until > n.now AND o.node <> $1) o`,
    values: [node, forMs, agent, revision, version, address ?? null, isUnheard],
  };
  for (let count = 1; ; count += 1) {
    try {
      const [row] = await write(
        place,
        ({ session }) => session.query<Renewal & { readonly slot: number }>(query),
        "lease",
      );
      if (row === undefined) throw new Error("the lease was not renewed");
      const { slot, ...renewal } = row;
      shards.take(slot);
      clock.observe(renewal.now);
      return renewal;
    } catch (error) {
      const isSlotTaken = error instanceof Error && "code" in error && error.code === "23505";
      if (!isSlotTaken || count === maxTries) throw error;
    }
  }
}

export async function releaseNode(place: Place, node: string): Promise<void> {
  const query = { text: `DELETE FROM ${place.tables.nodes} WHERE node = $1`, values: [node] };
  await write(place, ({ session }) => session.query(query), "lease");
}

export async function isLive({ database, tables }: Place, node: string): Promise<boolean> {
  const rows = await database.read({
    name: "is-live",
    text: `SELECT 1 FROM ${tables.nodes} WHERE node = $1 AND until > ${tables.now}`,
    values: [node],
  });
  return rows.length > 0;
}

interface NodeRow extends Omit<NodeRecord, "address" | "isUnheard"> {
  readonly address: string | null;
  readonly isUnheard: boolean;
}

export async function listNodes({ database, tables }: Place): Promise<readonly NodeRecord[]> {
  const rows = await database.read<NodeRow>({
    text: `SELECT node, slot, greatest(0, until - ${tables.now}) AS "leaseLeftMs", agent, revision, version,
        address, is_unheard AS "isUnheard", is_draining AS "isDraining"
      FROM ${tables.nodes} ORDER BY slot`,
  });
  return rows.map(({ address, isUnheard, ...row }) => ({
    ...row,
    ...(isUnheard && { isUnheard }),
    ...(address !== null && { address }),
  }));
}

export async function setDraining(
  place: Place,
  node: string,
  isDraining: boolean,
): Promise<boolean> {
  const query = {
    text: `UPDATE ${place.tables.nodes} SET is_draining = $2 WHERE node = $1 RETURNING 1`,
    values: [node, isDraining],
  };
  return (await write(place, ({ session }) => session.query(query), "lease")).length > 0;
}

export function claimTask(
  place: Place,
  { taskId, node, epoch, sequence }: Claim,
): Promise<number | undefined> {
  return write(place, async ({ tables, session }, { isDoubtful }) => {
    const [row] = await session.query<{ epoch: number }>({
      name: "claim",
      text: `UPDATE ${tables.tasks} SET epoch = epoch + 1, node = $2
        WHERE task_id = $1 AND epoch = $3 AND ($4::bigint IS NULL OR sequence = $4) AND state NOT IN ${ended}
        RETURNING epoch`,
      values: [taskId, node, epoch, sequence ?? null],
    });
    if (row !== undefined || !isDoubtful) return row?.epoch;
    // An earlier try may have been carried out.
    const [own] = await session.query<{ epoch: number }>({
      text: `SELECT epoch FROM ${tables.tasks} WHERE task_id = $1 AND node = $2 AND epoch = $3`,
      values: [taskId, node, epoch + 1],
    });
    return own?.epoch;
  });
}

/** A node's request for abandoned tasks. */
interface AbandonedClaim extends Omit<ClaimTerms, "withinMs"> {
  readonly agent: string;
  readonly node: string;
  readonly limit: number;
}

/**
 * Finds the nodes that hold tasks, which are few, by leaping from one to the next in the index; then the tasks of those
 * that are dead. The tasks of live nodes cost nothing, however many there are. Passes over what another node takes at
 * the same time.
 */
export function claimAbandonedStatement(
  tables: Tables,
  {
    agent,
    node,
    limit,
    deadline,
    exceptSubjects = [],
    onlyReleased = false,
  }: AbandonedClaim & { readonly deadline?: number },
): Query {
  const active = "t.agent = $1 AND t.state <= 2";
  const most = limit.toFixed(0);
  const isSpared = onlyReleased ? "" : `AND n.until > ${tables.now}`;
  const others =
    exceptSubjects.length === 0
      ? ""
      : `AND t.scope <> ALL (ARRAY(
          SELECT s.scope FROM ${tables.scopes} s WHERE s.agent = $1 AND s.subject = ANY($4)))`;
  return {
    text: `WITH RECURSIVE holders(node) AS (
        (SELECT t.node FROM ${tables.tasks} t WHERE ${active} AND t.node IS NOT NULL ORDER BY t.node LIMIT 1)
        UNION ALL
        SELECT (SELECT t.node FROM ${tables.tasks} t WHERE ${active} AND t.node > h.node ORDER BY t.node LIMIT 1)
        FROM holders h WHERE h.node IS NOT NULL),
      dead AS MATERIALIZED (
        SELECT h.node FROM holders h WHERE h.node IS NOT NULL AND h.node <> $2
        AND NOT EXISTS (SELECT FROM ${tables.nodes} n WHERE n.node = h.node ${isSpared})),
      free AS MATERIALIZED (
        SELECT t.task FROM ${tables.tasks} t WHERE ${active} AND t.node IS NULL ${others}
        LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED),
      held AS MATERIALIZED (
        SELECT x.task FROM dead d CROSS JOIN LATERAL (
          SELECT t.task FROM ${tables.tasks} t WHERE ${active} AND t.node = d.node ${others}
          LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED) x
        LIMIT ${most})
      UPDATE ${tables.tasks} t SET epoch = t.epoch + 1, node = $2
      FROM (SELECT task, true AS was_free FROM free UNION ALL SELECT task, false FROM held LIMIT ${most}) p
      WHERE t.task = p.task AND ($3::bigint IS NULL OR ${tables.now} < $3)
      RETURNING t.task_id AS "taskId", t.epoch, t.sequence, p.was_free AS "wasFree"`,
    values: [agent, node, deadline ?? null, ...(others === "" ? [] : [exceptSubjects])],
  };
}

export async function claimAbandoned(
  place: Place,
  { withinMs, ...claim }: AbandonedClaim & ClaimTerms,
): Promise<readonly ClaimedTask[]> {
  const { tables, clock } = place;
  const query = claimAbandonedStatement(tables, {
    ...claim,
    ...(withinMs !== undefined && { deadline: Math.round(clock.now() + withinMs) }),
  });
  const rows = await write(place, ({ session }) =>
    session.query<ClaimedTask & { readonly wasFree: boolean }>(query),
  );
  return rows.map(({ wasFree, ...claimed }) =>
    wasFree ? { ...claimed, isHandedOver: true } : claimed,
  );
}

export async function listHeld(
  { database, tables }: Place,
  agent: string,
  node: string,
): Promise<readonly string[]> {
  const rows = await database.read<{ id: string }>({
    name: "list-held",
    text: `SELECT task_id AS id FROM ${tables.tasks} WHERE agent = $1 AND state <= 2 AND node = $2`,
    values: [agent, node],
  });
  return rows.map(({ id }) => id);
}
