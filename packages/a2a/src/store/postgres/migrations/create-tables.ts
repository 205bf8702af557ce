/**
 * The first schema. A chunk of a stream is one row of `log` and one new version of the task's row on the same page: no
 * index has a column that it changes. Text is compared by its bytes, whatever the database's language. JSON is `text`:
 * `jsonb` refuses the character 0.
 */
export function createTables(schema: string): string {
  return `
-- The store's time in milliseconds, which all nodes share. Planners inline it. Tests replace it.
CREATE FUNCTION ${schema}.now_ms() RETURNS bigint LANGUAGE sql VOLATILE PARALLEL SAFE
  AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint';

-- Whom tasks belong to, and which agent works on them. Nodes remember scopes, so none is ever deleted.
CREATE TABLE ${schema}.scopes (
  scope bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  agent text COLLATE "C" NOT NULL,
  UNIQUE (agent, tenant, subject)
);
CREATE INDEX scopes_by_subject ON ${schema}.scopes (subject, agent);

-- How many tasks a scope has in each state, and their bytes: the sums over all shards. Each writer has shards of its own,
-- so that none waits for another's commit. States below 0 are no tasks: -1 kept replies, -2 push configurations.
CREATE TABLE ${schema}.counters (
  scope bigint NOT NULL,
  state smallint NOT NULL,
  shard smallint NOT NULL,
  tasks bigint NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (scope, state, shard)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- States have the numbers of the protocol's enum; up to 2 are those in which somebody should work; 3, 4, 5 and 7 are ends.
-- listeners is 0 without push configurations; else 1 more than the widest detail of any.
CREATE TABLE ${schema}.tasks (
  task bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  task_id text COLLATE "C" NOT NULL UNIQUE,
  scope bigint NOT NULL,
  agent text COLLATE "C" NOT NULL,
  context_id text COLLATE "C" NOT NULL,
  created_in text COLLATE "C" NOT NULL,
  state smallint NOT NULL,
  status_at bigint NOT NULL,
  sequence bigint NOT NULL,
  epoch bigint NOT NULL,
  node text COLLATE "C",
  bytes bigint NOT NULL,
  listeners smallint NOT NULL DEFAULT 0
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX tasks_by_scope ON ${schema}.tasks (scope, state, status_at, task_id);
CREATE INDEX tasks_by_agent ON ${schema}.tasks (agent, state, status_at, task_id);
CREATE INDEX tasks_by_context ON ${schema}.tasks (scope, context_id);
CREATE INDEX tasks_by_node ON ${schema}.tasks (agent, node) WHERE state <= 2;
CREATE INDEX tasks_by_end ON ${schema}.tasks (status_at) WHERE state IN (3, 4, 5, 7);

-- A row holds the successive events of a commit, under the sequence of the last of them. writer names the commit, so that a
-- node whose connection was lost can tell whether it took place.
CREATE TABLE ${schema}.log (
  task bigint NOT NULL,
  sequence bigint NOT NULL,
  epoch bigint NOT NULL,
  writer bigint NOT NULL,
  at bigint NOT NULL,
  events text NOT NULL,
  PRIMARY KEY (task, sequence)
);

CREATE TABLE ${schema}.checkpoints (
  task bigint PRIMARY KEY,
  sequence bigint NOT NULL,
  body text NOT NULL
);

-- Summaries of tasks that are too large for a checkpoint. omits is the content that is not in them.
CREATE TABLE ${schema}.summaries (
  task bigint PRIMARY KEY,
  sequence bigint NOT NULL,
  omits text NOT NULL,
  body text NOT NULL
);

-- A message belongs to the task that had it first.
CREATE TABLE ${schema}.message_ids (
  scope bigint NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  task bigint NOT NULL,
  PRIMARY KEY (scope, message_id)
);
CREATE INDEX message_ids_by_task ON ${schema}.message_ids (task);

CREATE TABLE ${schema}.nodes (
  node text COLLATE "C" PRIMARY KEY,
  slot smallint NOT NULL UNIQUE,
  until bigint NOT NULL,
  agent text COLLATE "C" NOT NULL,
  revision text NOT NULL,
  version text NOT NULL,
  address text,
  is_draining boolean NOT NULL DEFAULT false
);

CREATE TABLE ${schema}.secrets (
  name text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);

-- A configuration is the queue of its notifications. Details are numbered from the least; due_at is there while something
-- waits, claimed_by during a claim.
CREATE TABLE ${schema}.push_configs (
  config bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  task bigint NOT NULL,
  config_id text COLLATE "C" NOT NULL,
  agent text COLLATE "C" NOT NULL,
  host text COLLATE "C" NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at bigint,
  claimed_by text COLLATE "C",
  dialect text NOT NULL,
  detail smallint NOT NULL,
  body text NOT NULL,
  bytes bigint NOT NULL,
  UNIQUE (task, config_id)
);
CREATE INDEX push_configs_by_due_at ON ${schema}.push_configs (agent, due_at, host) WHERE due_at IS NOT NULL;

CREATE TABLE ${schema}.deliveries (
  config bigint NOT NULL,
  sequence bigint NOT NULL,
  queued_at bigint NOT NULL,
  PRIMARY KEY (config, sequence)
);

CREATE TABLE ${schema}.buried_deliveries (
  config bigint NOT NULL,
  sequence bigint NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (config, sequence)
);

-- A key leads to a task, to a reply, or, as a second key for a reply, to the first key.
CREATE TABLE ${schema}.idempotency_keys (
  scope bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  request_hash text NOT NULL,
  expires_at bigint NOT NULL,
  task bigint,
  reply text,
  leads_to text COLLATE "C",
  bytes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_keys_by_expiry ON ${schema}.idempotency_keys (expires_at);
CREATE INDEX idempotency_keys_by_task ON ${schema}.idempotency_keys (task) WHERE task IS NOT NULL;

-- Some builds of PostgreSQL lack lz4, which compresses JSON several times faster.
DO $lz4$ BEGIN
  ALTER TABLE ${schema}.log ALTER COLUMN events SET COMPRESSION lz4;
  ALTER TABLE ${schema}.checkpoints ALTER COLUMN body SET COMPRESSION lz4;
  ALTER TABLE ${schema}.summaries ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $lz4$;
`;
}
