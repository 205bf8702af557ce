import type { Connection } from "../connection.js";
import type { Scope } from "./scopes.js";

export interface CounterChange {
  readonly scope: number;
  readonly state: number;
  readonly by: number;
}

export function changeCounter(db: Connection, { scope, state, by }: CounterChange): void {
  db.run(
    `INSERT INTO counters (scope, state, tasks) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET tasks = tasks + excluded.tasks`,
    scope,
    state,
    by,
  );
}

/** How many tasks a scope has, or an agent, in one of the states. */
export function sumCounters(
  db: Connection,
  { agent, tenant, subject }: Pick<Scope, "agent"> & Partial<Scope>,
  states: readonly number[],
): number {
  const owner = tenant !== undefined && subject !== undefined ? [tenant, subject] : undefined;
  const row = db.get<{ tasks: number | null }>(
    `SELECT sum(tasks) AS tasks FROM scopes JOIN counters USING (scope)
     WHERE agent = ?${owner ? " AND tenant = ? AND subject = ?" : ""}
       AND state IN (${states.join(", ")})`,
    agent,
    ...(owner ?? []),
  );
  return row?.tasks ?? 0;
}
