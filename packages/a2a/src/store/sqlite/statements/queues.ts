import type { BuriedDelivery, DeliveryKey } from "../../outbox-store.js";
import type { Connection } from "../connection.js";

/** The row of a configuration, as a queue. */
export interface QueueRow {
  readonly config: number;
  readonly claimedBy: string | null;
}

export function selectQueue(db: Connection, task: number, configId: string): QueueRow | undefined {
  return db.get(
    `SELECT config, claimed_by AS claimedBy FROM push_configs WHERE task = ? AND config_id = ?`,
    task,
    configId,
  );
}

export interface DueQueue {
  readonly config: number;
  readonly taskId: string;
  readonly configId: string;
  readonly host: string;
  readonly attempts: number;
}

/**
 * Selects due queues, the longest due first, except those of some hosts. Finds them by the index alone, because
 * any number of due queues may belong to the excluded hosts.
 */
export function selectDue(
  db: Connection,
  query: {
    readonly agent: string;
    readonly now: number;
    readonly withoutHosts: readonly string[];
    readonly limit: number;
  },
): DueQueue[] {
  return db.all(
    `WITH due AS MATERIALIZED (
       SELECT config, due_at FROM push_configs
       WHERE agent = ? AND due_at IS NOT NULL AND due_at <= ?
         AND host NOT IN (SELECT value FROM json_each(?))
       ORDER BY due_at LIMIT ?)
     SELECT config, task_id AS taskId, config_id AS configId, host, attempts
     FROM due JOIN push_configs USING (config) JOIN tasks USING (task) ORDER BY due.due_at`,
    query.agent,
    query.now,
    JSON.stringify(query.withoutHosts),
    query.limit,
  );
}

/** Makes a queue due that was empty before. A queue that already had a delivery keeps its time. */
export function awaken(db: Connection, config: number, dueAt: number): void {
  db.run("UPDATE push_configs SET due_at = ? WHERE config = ? AND due_at IS NULL", dueAt, config);
}

/** Claims a queue until a time and counts an attempt. */
export function claimQueue(
  db: Connection,
  {
    config,
    node,
    until,
  }: { readonly config: number; readonly node: string; readonly until: number },
): void {
  db.run(
    "UPDATE push_configs SET attempts = attempts + 1, due_at = ?, claimed_by = ? WHERE config = ?",
    until,
    node,
    config,
  );
}

export function releaseQueue(db: Connection, config: number, dueAt: number | null): void {
  db.run("UPDATE push_configs SET due_at = ?, claimed_by = NULL WHERE config = ?", dueAt, config);
}

/** Resets the attempts after the first delivery of a queue has changed. */
export function resetAttempts(db: Connection, config: number): void {
  db.run("UPDATE push_configs SET attempts = 0 WHERE config = ? AND attempts > 0", config);
}

export function selectNextDue(db: Connection, agent: string): number | undefined {
  const row = db.get<{ dueAt: number | null }>(
    "SELECT min(due_at) AS dueAt FROM push_configs WHERE agent = ? AND due_at IS NOT NULL",
    agent,
  );
  return row?.dueAt ?? undefined;
}

const buriedTables = "buried_deliveries JOIN push_configs USING (config) JOIN tasks USING (task)";

export function selectBuried(
  db: Connection,
  query: { readonly agent: string; readonly after?: DeliveryKey; readonly limit: number },
): BuriedDelivery[] {
  const { agent, after, limit } = query;
  const next = after === undefined ? "" : " AND (task_id, config_id, sequence) > (?, ?, ?)";
  return db.all(
    `SELECT task_id AS taskId, config_id AS configId, sequence, reason FROM ${buriedTables}
     WHERE push_configs.agent = ?${next} ORDER BY task_id, config_id, sequence LIMIT ?`,
    agent,
    ...(after === undefined ? [] : [after.taskId, after.configId, after.sequence]),
    limit,
  );
}

export function countDeliveries(
  db: Connection,
  agent: string,
): { waiting: number; buried: number } {
  const row = db.get<{ waiting: number; buried: number }>(
    `SELECT
       (SELECT count(*) FROM deliveries JOIN push_configs USING (config) WHERE agent = ?1) AS waiting,
       (SELECT count(*) FROM buried_deliveries JOIN push_configs USING (config) WHERE agent = ?1)
         AS buried`,
    agent,
  );
  return { waiting: row?.waiting ?? 0, buried: row?.buried ?? 0 };
}
