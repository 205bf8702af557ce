PRAGMA application_id = 1349676153;

PRAGMA user_version = 10;

CREATE TABLE scopes (
  scope INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  subject TEXT NOT NULL,
  agent TEXT NOT NULL,
  UNIQUE (agent, tenant, subject)
) STRICT;

CREATE TABLE counters (
  scope INTEGER NOT NULL,
  state INTEGER NOT NULL,
  tasks INTEGER NOT NULL, bytes INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (scope, state)
) STRICT, WITHOUT ROWID;

CREATE TABLE tasks (
  task INTEGER PRIMARY KEY,
  task_id TEXT NOT NULL UNIQUE,
  scope INTEGER NOT NULL,
  agent TEXT NOT NULL,
  context_id TEXT NOT NULL,
  created_in TEXT NOT NULL,
  state INTEGER NOT NULL,
  status_at INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  node TEXT
, bytes INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX tasks_by_scope ON tasks (scope, state, status_at DESC);

CREATE INDEX tasks_by_agent ON tasks (agent, state, status_at DESC);

CREATE INDEX tasks_by_context ON tasks (scope, context_id);

CREATE INDEX tasks_by_node ON tasks (agent, node) WHERE state <= 2;

CREATE TABLE log (
  entry INTEGER PRIMARY KEY,
  task INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  events TEXT NOT NULL
, at INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE UNIQUE INDEX log_by_task ON log (task, sequence);

CREATE TABLE checkpoints (
  task INTEGER PRIMARY KEY,
  sequence INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;

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
, slot INTEGER NOT NULL DEFAULT 0, agent TEXT NOT NULL DEFAULT '', revision TEXT NOT NULL DEFAULT '', version TEXT NOT NULL DEFAULT '', address TEXT, is_draining INTEGER NOT NULL DEFAULT 0, is_unheard INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

CREATE INDEX scopes_by_subject ON scopes (subject, agent);

CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE push_configs (
  config INTEGER PRIMARY KEY,
  task INTEGER NOT NULL,
  config_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  host TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER,
  claimed_by TEXT,
  dialect TEXT NOT NULL,
  detail INTEGER NOT NULL,
  body TEXT NOT NULL, bytes INTEGER NOT NULL DEFAULT 0,
  UNIQUE (task, config_id)
) STRICT;

CREATE INDEX push_configs_by_due_at ON push_configs (agent, due_at, host) WHERE due_at IS NOT NULL;

CREATE TABLE deliveries (
  config INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  queued_at INTEGER NOT NULL,
  PRIMARY KEY (config, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE buried_deliveries (
  config INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (config, sequence)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE summaries (
  task INTEGER PRIMARY KEY,
  sequence INTEGER NOT NULL,
  omits TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
