import type { Usage } from "../../usage-store.js";
import type { Connection } from "../connection.js";
import type { Scope } from "../../task-record.js";

/** What is counted beside tasks, in the place of a state. */
export const replies = -1;
export const pushConfigs = -2;

export interface CounterChange {
  readonly scope: number;
  readonly state: number;
  readonly tasks: number;
  readonly bytes: number;
}

export function changeCounter(db: Connection, { scope, state, tasks, bytes }: CounterChange): void {
  db.run(
    `INSERT INTO counters (scope, state, tasks, bytes) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET tasks = tasks + excluded.tasks, bytes = bytes + excluded.bytes`,
    scope,
    state,
    tasks,
    bytes,
  );
}

/** The usage of a subject, over all tenants. */
export function sumUsage(db: Connection, subject: string, agent: string): Usage {
  const row = db.get<Usage>(
    `SELECT coalesce(sum(tasks), 0) AS tasks, coalesce(sum(bytes), 0) AS bytes
     FROM scopes JOIN counters USING (scope) WHERE agent = ? AND subject = ?`,
    agent,
    subject,
  );
  return { tasks: row?.tasks ?? 0, bytes: row?.bytes ?? 0 };
}

/** How many tasks in the given states a scope, a tenant or an agent has. */
export function sumCounters(
  db: Connection,
  { agent, tenant, subject }: Pick<Scope, "agent"> & Partial<Scope>,
  states: readonly number[],
): number {
  const owner = [tenant, subject].filter((name) => name !== undefined);
  const conditions = ["", " AND tenant = ?", " AND tenant = ? AND subject = ?"];
  const row = db.get<{ tasks: number | null }>(
    `SELECT sum(tasks) AS tasks FROM scopes JOIN counters USING (scope)
     WHERE agent = ?${conditions[owner.length]}
       AND state IN (${states.join(", ")})`,
    agent,
    ...owner,
  );
  return row?.tasks ?? 0;
}
