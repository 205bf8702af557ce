import type { Connection } from "../connection.js";

/** Leases that ended this long ago are deleted. A node without a lease counts as dead. */
const forgottenAfterMs = 24 * 60 * 60 * 1000;

export function renewNode(db: Connection, node: string, until: number): void {
  db.run(
    "INSERT INTO nodes (node, until) VALUES (?, ?) ON CONFLICT DO UPDATE SET until = excluded.until",
    node,
    until,
  );
  db.run("DELETE FROM nodes WHERE until < ?", until - forgottenAfterMs);
}

export function releaseNode(db: Connection, node: string): void {
  db.run("DELETE FROM nodes WHERE node = ?", node);
}

const active = "tasks INDEXED BY tasks_by_node";

/**
 * Finds the nodes that hold tasks, which are few, by jumping from one to the next in the index; then the tasks of
 * those nodes that are dead. The tasks of live nodes cost nothing, however many there are.
 */
export function findAbandoned(
  db: Connection,
  { agent, now, limit }: { agent: string; now: number; limit: number },
): string[] {
  const rows = db.all<{ task_id: string }>(
    `WITH RECURSIVE holders (node) AS (
       SELECT (SELECT min(node) FROM ${active} WHERE agent = ? AND state <= 2 AND node IS NOT NULL)
       UNION ALL
       SELECT (SELECT min(node) FROM ${active} WHERE agent = ? AND state <= 2 AND node > holders.node)
       FROM holders WHERE holders.node IS NOT NULL
     ), dead (node) AS (
       SELECT node FROM holders WHERE node IS NOT NULL
         AND node NOT IN (SELECT node FROM nodes WHERE until > ?)
     )
     SELECT task_id FROM ${active} WHERE agent = ? AND state <= 2 AND node IS NULL
     UNION ALL
     SELECT task_id FROM dead CROSS JOIN ${active}
       ON tasks.agent = ? AND tasks.state <= 2 AND tasks.node = dead.node
     LIMIT ?`,
    agent,
    agent,
    now,
    agent,
    agent,
    limit,
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

export function selectLease(db: Connection, node: string): number | undefined {
  return db.get<{ until: number }>("SELECT until FROM nodes WHERE node = ?", node)?.until;
}
