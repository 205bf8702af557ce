import { pushDetails } from "../../push-detail.js";
import type { Connection } from "../connection.js";
import type { PushConfigText } from "../push-config-text.js";

/** A configuration that receives a task's events up to a rank. */
export interface Listener {
  readonly config: number;
  readonly maxRank: number;
}

export function selectListeners(db: Connection, task: number): Listener[] {
  return db.all("SELECT config, detail AS maxRank FROM push_configs WHERE task = ?", task);
}

/** How many configurations a task has beside one, and how much that one weighs, if it is there. */
export function selectBeside(
  db: Connection,
  task: number,
  configId: string,
): { readonly others: number; readonly bytes: number | null } {
  const row = db.get<{ others: number; bytes: number | null }>(
    `SELECT count(*) FILTER (WHERE config_id <> ?1) AS others,
       max(bytes) FILTER (WHERE config_id = ?1) AS bytes
     FROM push_configs WHERE task = ?2`,
    configId,
    task,
  );
  return row ?? { others: 0, bytes: null };
}

/** Creates or replaces a configuration. The queue of a replaced one is due at once, unless it is claimed. */
export function savePushConfig(
  db: Connection,
  task: number,
  record: Omit<PushConfigText, "taskId">,
): void {
  db.run(
    `INSERT INTO push_configs (task, config_id, agent, host, attempts, dialect, detail, body, bytes)
     VALUES (?1, ?2, (SELECT agent FROM tasks WHERE task = ?1), ?3, 0, ?4, ?5, ?6, ?7)
     ON CONFLICT (task, config_id) DO UPDATE
     SET host = excluded.host, dialect = excluded.dialect, detail = excluded.detail,
       body = excluded.body, bytes = excluded.bytes, attempts = iif(claimed_by IS NULL, 0, attempts),
       due_at = iif(claimed_by IS NULL AND due_at IS NOT NULL, 0, due_at)`,
    task,
    record.configId,
    record.host,
    record.dialect,
    pushDetails.indexOf(record.detail),
    record.config,
    record.config.length,
  );
}

interface PushConfigRow {
  readonly taskId: string;
  readonly configId: string;
  readonly host: string;
  readonly dialect: string;
  readonly detail: number;
  readonly body: string;
}

const selectRows = `SELECT task_id AS taskId, config_id AS configId, host, dialect, detail, body
  FROM push_configs JOIN tasks USING (task) WHERE task_id = ?`;

export function selectPushConfig(
  db: Connection,
  taskId: string,
  configId: string,
): PushConfigText | undefined {
  const row = db.get<PushConfigRow>(`${selectRows} AND config_id = ?`, taskId, configId);
  return row && toText(row);
}

export function selectPushConfigs(
  db: Connection,
  { taskId, after, limit }: { taskId: string; after: string | undefined; limit: number },
): PushConfigText[] {
  const next = after === undefined ? "" : " AND config_id > ?";
  const rows = db.all<PushConfigRow>(
    `${selectRows}${next} ORDER BY config_id LIMIT ?`,
    taskId,
    ...(after === undefined ? [] : [after]),
    limit,
  );
  return rows.map(toText);
}

/** Deletes all configurations of a task, or one, with their deliveries. Returns how much they weighed. */
export function deletePushConfigs(db: Connection, task: number, configId?: string): number {
  const [which, values] =
    configId === undefined
      ? ["task = ?", [task]]
      : ["task = ? AND config_id = ?", [task, configId]];
  for (const table of ["deliveries", "buried_deliveries"]) {
    db.run(
      `DELETE FROM ${table} WHERE config IN (SELECT config FROM push_configs WHERE ${which})`,
      ...values,
    );
  }
  const weighed = db.get<{ bytes: number }>(
    `SELECT coalesce(sum(bytes), 0) AS bytes FROM push_configs WHERE ${which}`,
    ...values,
  );
  db.run(`DELETE FROM push_configs WHERE ${which}`, ...values);
  return weighed?.bytes ?? 0;
}

/** Picks the members one by one, because some drivers add their own to rows. */
function toText(row: PushConfigRow): PushConfigText {
  return {
    taskId: row.taskId,
    configId: row.configId,
    dialect: row.dialect,
    detail: pushDetails[row.detail] ?? "status",
    host: row.host,
    config: row.body,
  };
}
