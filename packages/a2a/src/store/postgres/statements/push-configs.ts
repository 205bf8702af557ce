import type { TaskPushNotificationConfig } from "../../../protocol/internal.js";
import { pushDetails } from "../../push-detail.js";
import type { PushConfigRecord } from "../../push-store.js";
import { limitsUsage } from "../../store-limits.js";
import type { StoreLimits } from "../../store-limits.js";
import { changeCounters } from "./counters.js";
import type { Place } from "../place.js";
import type { Work } from "../work.js";
import { transact } from "../work.js";
import { lockTask } from "./lock-task.js";
import { checkConfigLimit, checkUsageLimit, lockUsage } from "./limits.js";

/** The row of a task of which one configuration changes: how much its listeners want, among those that are left. */
const widest = (configs: string, others: string): string =>
  `coalesce((SELECT max(detail) + 1 FROM ${configs} WHERE task = $1 AND ${others}), 0)`;

/** Creates or replaces a configuration of a task that is locked. The queue of a replaced one is due at once, unless it is claimed. */
export async function saveConfig(
  { tables, shards, session }: Work,
  { task, scope }: { readonly task: number; readonly scope: number },
  record: Omit<PushConfigRecord, "taskId">,
): Promise<void> {
  const body = JSON.stringify(record.config);
  await session.query({
    name: "save-config",
    text: `WITH b AS MATERIALIZED (
        SELECT bytes FROM ${tables.push_configs} WHERE task = $1 AND config_id = $3),
      c AS (
        INSERT INTO ${tables.push_configs} AS c
          (task, config_id, agent, host, dialect, detail, body, bytes)
        SELECT $1, $3, agent, $4, $5, $6, $7, $8 FROM ${tables.tasks} WHERE task = $1
        ON CONFLICT (task, config_id) DO UPDATE SET host = excluded.host, dialect = excluded.dialect,
          detail = excluded.detail, body = excluded.body, bytes = excluded.bytes,
          attempts = CASE WHEN c.claimed_by IS NULL THEN 0 ELSE c.attempts END,
          due_at = CASE WHEN c.claimed_by IS NULL AND c.due_at IS NOT NULL THEN 0 ELSE c.due_at END),
      t AS (
        UPDATE ${tables.tasks} SET listeners =
          greatest($6::smallint + 1, ${widest(tables.push_configs, "config_id <> $3")})
        WHERE task = $1)
      ${changeCounters(
        tables,
        "SELECT $9::bigint AS scope, -2 AS state, 0 AS tasks, $8::bigint - coalesce((SELECT bytes FROM b), 0) AS bytes",
      )}`,
    values: [
      task,
      shards.others,
      record.configId,
      record.host,
      record.dialect,
      pushDetails.indexOf(record.detail),
      body,
      body.length,
      scope,
    ],
  });
}

export function savePushConfig(
  place: Place,
  { taskId, ...record }: PushConfigRecord,
  limits: StoreLimits = {},
): Promise<boolean> {
  return transact(place, async (work) => {
    const isLimited = limitsUsage(limits);
    if (isLimited) await lockUsage(work, taskId);
    const locked = await lockTask(work, taskId);
    if (locked === undefined) return false;
    if (isLimited) await checkUsageLimit(work, locked.scope, limits, "part");
    if (limits.maxPushConfigs !== undefined) {
      await checkConfigLimit(work, locked.task, record.configId, limits);
    }
    await saveConfig(work, locked, record);
    return true;
  });
}

export function deletePushConfig(place: Place, taskId: string, configId: string): Promise<void> {
  const { tables, shards } = place;
  return transact(place, async (work) => {
    const locked = await lockTask(work, taskId);
    if (locked === undefined) return;
    await work.session.query({
      name: "delete-config",
      text: `WITH c AS (
          DELETE FROM ${tables.push_configs} WHERE task = $1 AND config_id = $3 RETURNING config, bytes),
        d AS (DELETE FROM ${tables.deliveries} d USING c WHERE d.config = c.config),
        b AS (DELETE FROM ${tables.buried_deliveries} b USING c WHERE b.config = c.config),
        t AS (
          UPDATE ${tables.tasks} SET listeners = ${widest(tables.push_configs, "config_id <> $3")}
          WHERE task = $1)
        ${changeCounters(
          tables,
          "SELECT $4::bigint AS scope, -2 AS state, 0 AS tasks, -bytes AS bytes FROM c",
        )}`,
      values: [locked.task, shards.others, configId, locked.scope],
    });
  });
}

interface ConfigRow extends Omit<PushConfigRecord, "detail" | "config"> {
  readonly detail: number;
  readonly body: string;
}

const columns = `t.task_id AS "taskId", c.config_id AS "configId", c.host, c.dialect, c.detail, c.body`;

export async function loadPushConfig(
  { database, tables }: Place,
  taskId: string,
  configId: string,
): Promise<PushConfigRecord | undefined> {
  const [row] = await database.read<ConfigRow>({
    name: "load-config",
    text: `SELECT ${columns} FROM ${tables.tasks} t JOIN ${tables.push_configs} c USING (task)
      WHERE t.task_id = $1 AND c.config_id = $2`,
    values: [taskId, configId],
  });
  return row && toRecord(row);
}

export async function listPushConfigs(
  { database, tables }: Place,
  taskId: string,
  after: string | undefined,
  limit: number,
): Promise<readonly PushConfigRecord[]> {
  const rows = await database.read<ConfigRow>({
    name: "list-configs",
    text: `SELECT ${columns} FROM ${tables.tasks} t JOIN ${tables.push_configs} c USING (task)
      WHERE t.task_id = $1 AND ($2::text IS NULL OR c.config_id > $2) ORDER BY c.config_id LIMIT $3`,
    values: [taskId, after ?? null, limit],
  });
  return rows.map(toRecord);
}

function toRecord({ detail, body, ...row }: ConfigRow): PushConfigRecord {
  return {
    ...row,
    detail: pushDetails[detail] ?? "status",
    config: JSON.parse(body) as TaskPushNotificationConfig,
  };
}
