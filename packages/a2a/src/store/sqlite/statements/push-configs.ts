import type { Connection } from "../connection.js";
import type { PushConfigText } from "../operations.js";

export function savePushConfig(db: Connection, record: PushConfigText): void {
  db.run(
    `INSERT INTO push_configs (task_id, config_id, dialect, config) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET dialect = excluded.dialect, config = excluded.config`,
    record.taskId,
    record.configId,
    record.dialect,
    record.config,
  );
}

const columns = "task_id AS taskId, config_id AS configId, dialect, config";

export function selectPushConfig(
  db: Connection,
  taskId: string,
  configId: string,
): PushConfigText | undefined {
  return db.get(
    `SELECT ${columns} FROM push_configs WHERE task_id = ? AND config_id = ?`,
    taskId,
    configId,
  );
}

export function selectPushConfigs(
  db: Connection,
  { taskId, after, limit }: { taskId: string; after: string | undefined; limit: number },
): PushConfigText[] {
  const next = after === undefined ? "" : " AND config_id > ?";
  return db.all(
    `SELECT ${columns} FROM push_configs WHERE task_id = ?${next} ORDER BY config_id LIMIT ?`,
    taskId,
    ...(after === undefined ? [] : [after]),
    limit,
  );
}

export function deletePushConfig(db: Connection, taskId: string, configId: string): void {
  db.run("DELETE FROM push_configs WHERE task_id = ? AND config_id = ?", taskId, configId);
}

export function deletePushConfigs(db: Connection, taskId: string): void {
  db.run("DELETE FROM push_configs WHERE task_id = ?", taskId);
}
