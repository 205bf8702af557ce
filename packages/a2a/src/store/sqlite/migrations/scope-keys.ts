/**
 * Gives every idempotency key its agent, and counts kept replies and push configurations. A key that leads to a task
 * is a key of that task's agent. Nobody knows the agent of a kept reply, so those are forgotten: they would have
 * expired within `idempotencyMs`. Keys of tasks whose ids clients chose begin with their agent.
 *
 * Counters have states below 0 for what is no task: -1 for kept replies, -2 for push configurations.
 */
export const scopeKeys = `
DROP INDEX idempotency_keys_by_expiry;
DROP INDEX idempotency_keys_by_task;
ALTER TABLE idempotency_keys RENAME TO earlier_idempotency_keys;

CREATE TABLE idempotency_keys (
  scope INTEGER NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  task INTEGER,
  reply TEXT,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
CREATE INDEX idempotency_keys_by_task ON idempotency_keys (task) WHERE task IS NOT NULL;
INSERT INTO idempotency_keys (scope, key, request_hash, expires_at, task, bytes)
  SELECT scope, key, request_hash, expires_at, task, 0
  FROM earlier_idempotency_keys JOIN tasks USING (task);
DROP TABLE earlier_idempotency_keys;

ALTER TABLE push_configs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE push_configs SET bytes = length(body);
INSERT INTO counters (scope, state, tasks, bytes)
  SELECT scope, -2, 0, sum(push_configs.bytes) FROM push_configs JOIN tasks USING (task) GROUP BY scope;

UPDATE tasks SET task_id = 'client:' || agent || '/' || substr(task_id, 8) WHERE task_id GLOB 'client:*';
`;
