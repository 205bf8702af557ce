import type { HeldTask } from "../../lease-store.js";
import type { Connection } from "../connection.js";
import { lastSequence, toState } from "./tasks.js";

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

/** The states are those of the index: the ones in which a task has not ended. */
export function selectHeld(
  db: Connection,
  { node, limit, after }: { node: string; limit: number; after: string | undefined },
): HeldTask[] {
  const rows = db.all<{ task_id: string; state: number; sequence: number; epoch: number }>(
    `SELECT task_id, state, epoch, ${lastSequence} AS sequence FROM tasks INDEXED BY tasks_held
     WHERE node = ? AND state IN (1, 2, 6, 8) AND task_id > ? ORDER BY task_id LIMIT ?`,
    node,
    after ?? "",
    limit,
  );
  return rows.map(({ task_id, state, sequence, epoch }) => ({
    taskId: task_id,
    state: toState(state),
    sequence,
    epoch,
  }));
}
