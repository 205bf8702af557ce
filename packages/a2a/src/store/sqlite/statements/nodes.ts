import type { ClaimTerms, NodeInfo, NodeRecord, Renewal } from "../../lease-store.js";
import type { Connection } from "../connection.js";

/** Leases that ended this long ago are deleted. A node without a lease counts as dead. */
const forgottenAfterMs = 24 * 60 * 60 * 1000;

/** A node's request for abandoned tasks. */
export interface AbandonedClaim extends ClaimTerms {
  readonly agent: string;
  readonly node: string;
  readonly limit: number;
}

/** A node as it is stored. */
export interface StoredNode extends Omit<NodeRecord, "leaseLeftMs"> {
  /** When its lease ends, in the store's time. */
  readonly until: number;
}

export interface LeaseRequest {
  readonly node: string;
  readonly forMs: number;
  readonly info: NodeInfo;
}

export function renewNode(
  db: Connection,
  { node, forMs, info }: LeaseRequest,
  now: number,
): Renewal {
  const known = db.get<{ slot: number; isDraining: number }>(
    "SELECT slot, is_draining AS isDraining FROM nodes WHERE node = ?",
    node,
  );
  db.run(
    `INSERT INTO nodes (node, until, slot, agent, revision, version, address, is_unheard)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET until = excluded.until, agent = excluded.agent,
       revision = excluded.revision, version = excluded.version, address = excluded.address,
       is_unheard = excluded.is_unheard`,
    node,
    now + forMs,
    known?.slot ?? freeSlot(db),
    info.agent,
    info.revision,
    info.version,
    info.address ?? null,
    info.isUnheard === true ? 1 : 0,
  );
  db.run("DELETE FROM nodes WHERE until < ?", now - forgottenAfterMs);
  const live = db.get<{ nodes: number; unheard: number }>(
    `SELECT count(*) AS nodes, count(*) FILTER (WHERE is_unheard) AS unheard
     FROM nodes WHERE agent = ? AND until > ?`,
    info.agent,
    now,
  );
  const { nodes, unheard } = live ?? { nodes: 1, unheard: 0 };
  return { now, nodes, unheard, isDraining: known?.isDraining === 1 };
}

/** The smallest number that no node has. */
function freeSlot(db: Connection): number {
  const taken = db.all<{ slot: number }>("SELECT slot FROM nodes ORDER BY slot");
  const gap = taken.findIndex(({ slot }, index) => slot !== index);
  return gap === -1 ? taken.length : gap;
}

export function releaseNode(db: Connection, node: string): void {
  db.run("DELETE FROM nodes WHERE node = ?", node);
}

/** When a node's lease ends. */
export function selectLease(db: Connection, node: string): number | undefined {
  return db.get<{ until: number }>("SELECT until FROM nodes WHERE node = ?", node)?.until;
}

interface NodeRow extends Omit<StoredNode, "address" | "isDraining" | "isUnheard"> {
  readonly address: string | null;
  readonly isUnheard: number;
  readonly isDraining: number;
}

export function selectNodes(db: Connection): StoredNode[] {
  const rows = db.all<NodeRow>(
    `SELECT node, slot, until, agent, revision, version, address,
       is_unheard AS isUnheard, is_draining AS isDraining
     FROM nodes ORDER BY slot`,
  );
  return rows.map(({ address, isUnheard, isDraining, ...row }) => ({
    ...row,
    ...(isUnheard === 1 && { isUnheard: true }),
    ...(address !== null && { address }),
    isDraining: isDraining === 1,
  }));
}

/** Returns whether there is such a node. */
export function setDraining(db: Connection, node: string, isDraining: boolean): boolean {
  const sql = "UPDATE nodes SET is_draining = ? WHERE node = ?";
  return db.run(sql, isDraining ? 1 : 0, node).changes > 0;
}

const active = "tasks INDEXED BY tasks_by_node";

/**
 * Finds the nodes that hold tasks, which are few, by jumping from one to the next in the index; then the tasks of
 * those nodes that are dead, or have released their leases. The tasks of live nodes, and of the one who asks, cost nothing, however many there are.
 */
export function findAbandoned(
  db: Connection,
  { agent, node, limit, exceptSubjects = [], onlyReleased = false }: AbandonedClaim,
  now: number,
): string[] {
  const others =
    exceptSubjects.length === 0
      ? ""
      : `AND scope NOT IN (SELECT scope FROM scopes
           WHERE agent = ?1 AND subject IN (SELECT value FROM json_each(?5)))`;
  const rows = db.all<{ task_id: string }>(
    `WITH RECURSIVE holders (node) AS (
       SELECT (SELECT min(node) FROM ${active} WHERE agent = ?1 AND state <= 2 AND node IS NOT NULL)
       UNION ALL
       SELECT (SELECT min(node) FROM ${active} WHERE agent = ?1 AND state <= 2 AND node > holders.node)
       FROM holders WHERE holders.node IS NOT NULL
     ), dead (node) AS (
       SELECT node FROM holders WHERE node <> ?2
         AND node NOT IN (SELECT node FROM nodes WHERE until > ?3)
     )
     SELECT task_id FROM ${active} WHERE agent = ?1 AND state <= 2 AND node IS NULL ${others}
     UNION ALL
     SELECT task_id FROM dead CROSS JOIN ${active}
       ON tasks.agent = ?1 AND tasks.state <= 2 AND tasks.node = dead.node ${others}
     LIMIT ?4`,
    agent,
    node,
    // Every lease ends after 0, so that a node of which anything is known is spared.
    onlyReleased ? 0 : now,
    limit,
    ...(others === "" ? [] : [JSON.stringify(exceptSubjects)]),
  );
  return rows.map(({ task_id }) => task_id);
}

export function listHeld(
  db: Connection,
  { agent, node }: { agent: string; node: string },
): string[] {
  const rows = db.all<{ task_id: string }>(
    `SELECT task_id FROM ${active} WHERE agent = ? AND state <= 2 AND node = ?`,
    agent,
    node,
  );
  return rows.map(({ task_id }) => task_id);
}
