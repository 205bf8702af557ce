import { checkPushConfigs, checkUsage } from "../../store-limits.js";
import type { StoreLimits } from "../../store-limits.js";
import type { Scope } from "../../task-record.js";
import type { Usage } from "../../usage-store.js";
import type { Work } from "../work.js";

/**
 * Lets one transaction at a time add to what a subject keeps with an agent, as far as limits are checked. A later statement
 * sees what the transaction before has added. Instead of a subject, a task of it may be named.
 */
export async function lockUsage(
  { tables, session }: Work,
  whose: Pick<Scope, "subject" | "agent"> | string,
): Promise<void> {
  const lock = "pg_advisory_xact_lock(hashtextextended(subject || chr(10) || agent, 7250191))";
  if (typeof whose === "string") {
    await session.query({
      name: "lock-usage-of-task",
      text: `SELECT ${lock} FROM ${tables.tasks} JOIN ${tables.scopes} USING (scope, agent)
        WHERE task_id = $1`,
      values: [whose],
    });
    return;
  }
  await session.query({
    name: "lock-usage",
    text: `SELECT ${lock} FROM (VALUES ($1::text, $2::text)) AS r(subject, agent)`,
    values: [whose.subject, whose.agent],
  });
}

/** Throws when the subject of a scope keeps as much as it may with its agent, over all tenants. */
export async function checkUsageLimit(
  { tables, session }: Work,
  scope: number,
  limits: StoreLimits,
  adds: "task" | "part",
): Promise<void> {
  const [usage] = await session.query<Usage>({
    name: "usage-of-scope",
    text: `SELECT coalesce(sum(tasks), 0)::bigint AS tasks, coalesce(sum(bytes), 0)::bigint AS bytes
      FROM ${tables.scopes} o JOIN ${tables.scopes} s USING (subject, agent)
      JOIN ${tables.counters} c ON c.scope = s.scope WHERE o.scope = $1`,
    values: [scope],
  });
  checkUsage(usage ?? { tasks: 0, bytes: 0 }, limits, adds);
}

/** Throws when a task may have no further push configuration. `undefined`: a new task, which has none. */
export async function checkConfigLimit(
  { tables, session }: Work,
  task: number | undefined,
  configId: string,
  limits: StoreLimits,
): Promise<void> {
  if (task === undefined) return checkPushConfigs(0, limits);
  const [row] = await session.query<{ others: number; has: boolean }>({
    name: "count-configs",
    text: `SELECT count(*) FILTER (WHERE config_id <> $2) AS others,
        count(*) FILTER (WHERE config_id = $2) > 0 AS has
      FROM ${tables.push_configs} WHERE task = $1`,
    values: [task, configId],
  });
  if (row?.has !== true) checkPushConfigs(row?.others ?? 0, limits);
}
