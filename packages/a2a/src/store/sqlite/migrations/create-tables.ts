/**
 * The first schema. The cost of a commit is the number of pages it touches, because each is written whole. So a
 * chunk of a stream is one row of `log` and nothing else, rows that are written together lie together, and few
 * indexes change with the status of a task.
 */
export const createTables = `
-- Whom tasks belong to, and which agent works on them.
CREATE TABLE scopes (
  scope INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  subject TEXT NOT NULL,
  agent TEXT NOT NULL,
  UNIQUE (agent, tenant, subject)
) STRICT;

-- How many tasks a scope has in each state, because counting them takes too long.
CREATE TABLE counters (
  scope INTEGER NOT NULL,
  state INTEGER NOT NULL,
  tasks INTEGER NOT NULL,
  PRIMARY KEY (scope, state)
) STRICT, WITHOUT ROWID;

-- States have the numbers of the protocol's enum; up to 2 are those in which somebody should work.
CREATE TABLE tasks (
  task INTEGER PRIMARY KEY,
  task_id TEXT NOT NULL UNIQUE,
  scope INTEGER NOT NULL,
  agent TEXT NOT NULL,
  context_id TEXT NOT NULL,
  origin TEXT NOT NULL,
  state INTEGER NOT NULL,
  status_at INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  node TEXT
) STRICT;
CREATE INDEX tasks_by_scope ON tasks (scope, state, status_at DESC);
CREATE INDEX tasks_by_agent ON tasks (agent, state, status_at DESC);
CREATE INDEX tasks_by_context ON tasks (scope, context_id);
CREATE INDEX tasks_by_node ON tasks (agent, node) WHERE state <= 2;

-- In the order of arrival, so that what is committed together lies together, whatever tasks it is of.
CREATE TABLE log (
  entry INTEGER PRIMARY KEY,
  task INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  event TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX log_by_task ON log (task, sequence);

CREATE TABLE checkpoints (
  task INTEGER PRIMARY KEY,
  sequence INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;

-- In the order in which they came: a message belongs to the task that had it first.
CREATE TABLE message_ids (
  entry INTEGER PRIMARY KEY,
  task INTEGER NOT NULL,
  message_id TEXT NOT NULL
) STRICT;
CREATE INDEX message_ids_by_id ON message_ids (message_id);
CREATE INDEX message_ids_by_task ON message_ids (task);

CREATE TABLE nodes (
  node TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE push_configs (
  task_id TEXT NOT NULL,
  config_id TEXT NOT NULL,
  dialect TEXT NOT NULL,
  config TEXT NOT NULL,
  PRIMARY KEY (task_id, config_id)
) STRICT, WITHOUT ROWID;

-- Deliveries of one task and configuration are a queue, and only the first of it is ever due.
CREATE TABLE deliveries (
  task INTEGER NOT NULL,
  config_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  is_first INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  PRIMARY KEY (task, config_id, sequence)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_by_due_at ON deliveries (due_at) WHERE is_first = 1;
CREATE TABLE buried_deliveries (
  task INTEGER NOT NULL,
  config_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (task, config_id, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency_keys (
  tenant TEXT NOT NULL,
  subject TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  task INTEGER,
  reply TEXT,
  PRIMARY KEY (tenant, subject, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
CREATE INDEX idempotency_keys_by_task ON idempotency_keys (task) WHERE task IS NOT NULL;
`;
