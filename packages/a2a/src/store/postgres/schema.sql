CREATE OR REPLACE FUNCTION parley.now_ms()
 RETURNS bigint
 LANGUAGE sql
 PARALLEL SAFE
AS $function$SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint$function$;

CREATE TABLE parley.parley_meta (
  version integer NOT NULL,
  min_version integer NOT NULL
);

CREATE TABLE parley.scopes (
  scope bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  agent text COLLATE "C" NOT NULL
);

CREATE UNIQUE INDEX scopes_pkey ON parley.scopes USING btree (scope);

CREATE UNIQUE INDEX scopes_agent_tenant_subject_key ON parley.scopes USING btree (agent, tenant, subject);

CREATE INDEX scopes_by_subject ON parley.scopes USING btree (subject, agent);

CREATE TABLE parley.counters (
  scope bigint NOT NULL,
  state smallint NOT NULL,
  shard smallint NOT NULL,
  tasks bigint NOT NULL,
  bytes bigint NOT NULL
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);

CREATE UNIQUE INDEX counters_pkey ON parley.counters USING btree (scope, state, shard);

CREATE TABLE parley.tasks (
  task bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  task_id text COLLATE "C" NOT NULL,
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
  listeners smallint DEFAULT 0 NOT NULL
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);

CREATE UNIQUE INDEX tasks_pkey ON parley.tasks USING btree (task);

CREATE UNIQUE INDEX tasks_task_id_key ON parley.tasks USING btree (task_id);

CREATE INDEX tasks_by_scope ON parley.tasks USING btree (scope, state, status_at, task_id);

CREATE INDEX tasks_by_agent ON parley.tasks USING btree (agent, state, status_at, task_id);

CREATE INDEX tasks_by_context ON parley.tasks USING btree (scope, context_id);

CREATE INDEX tasks_by_node ON parley.tasks USING btree (agent, node) WHERE (state <= 2);

CREATE INDEX tasks_by_end ON parley.tasks USING btree (status_at) WHERE (state = ANY (ARRAY[3, 4, 5, 7]));

CREATE TABLE parley.log (
  task bigint NOT NULL,
  sequence bigint NOT NULL,
  epoch bigint NOT NULL,
  writer bigint NOT NULL,
  at bigint NOT NULL,
  events text NOT NULL
);

CREATE UNIQUE INDEX log_pkey ON parley.log USING btree (task, sequence);

CREATE TABLE parley.checkpoints (
  task bigint NOT NULL,
  sequence bigint NOT NULL,
  body text NOT NULL
);

CREATE UNIQUE INDEX checkpoints_pkey ON parley.checkpoints USING btree (task);

CREATE TABLE parley.summaries (
  task bigint NOT NULL,
  sequence bigint NOT NULL,
  omits text NOT NULL,
  body text NOT NULL
);

CREATE UNIQUE INDEX summaries_pkey ON parley.summaries USING btree (task);

CREATE TABLE parley.message_ids (
  scope bigint NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  task bigint NOT NULL
);

CREATE UNIQUE INDEX message_ids_pkey ON parley.message_ids USING btree (scope, message_id);

CREATE INDEX message_ids_by_task ON parley.message_ids USING btree (task);

CREATE TABLE parley.nodes (
  node text COLLATE "C" NOT NULL,
  slot smallint NOT NULL,
  until bigint NOT NULL,
  agent text COLLATE "C" NOT NULL,
  revision text NOT NULL,
  version text NOT NULL,
  address text,
  is_draining boolean DEFAULT false NOT NULL,
  is_unheard boolean DEFAULT false NOT NULL
);

CREATE UNIQUE INDEX nodes_pkey ON parley.nodes USING btree (node);

CREATE UNIQUE INDEX nodes_slot_key ON parley.nodes USING btree (slot);

CREATE TABLE parley.secrets (
  name text COLLATE "C" NOT NULL,
  value text NOT NULL
);

CREATE UNIQUE INDEX secrets_pkey ON parley.secrets USING btree (name);

CREATE TABLE parley.push_configs (
  config bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  task bigint NOT NULL,
  config_id text COLLATE "C" NOT NULL,
  agent text COLLATE "C" NOT NULL,
  host text COLLATE "C" NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  due_at bigint,
  claimed_by text COLLATE "C",
  dialect text NOT NULL,
  detail smallint NOT NULL,
  body text NOT NULL,
  bytes bigint NOT NULL
);

CREATE UNIQUE INDEX push_configs_pkey ON parley.push_configs USING btree (config);

CREATE UNIQUE INDEX push_configs_task_config_id_key ON parley.push_configs USING btree (task, config_id);

CREATE INDEX push_configs_by_due_at ON parley.push_configs USING btree (agent, due_at, host) WHERE (due_at IS NOT NULL);

CREATE TABLE parley.deliveries (
  config bigint NOT NULL,
  sequence bigint NOT NULL,
  queued_at bigint NOT NULL
);

CREATE UNIQUE INDEX deliveries_pkey ON parley.deliveries USING btree (config, sequence);

CREATE TABLE parley.buried_deliveries (
  config bigint NOT NULL,
  sequence bigint NOT NULL,
  reason text NOT NULL
);

CREATE UNIQUE INDEX buried_deliveries_pkey ON parley.buried_deliveries USING btree (config, sequence);

CREATE TABLE parley.idempotency_keys (
  scope bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  request_hash text NOT NULL,
  expires_at bigint NOT NULL,
  task bigint,
  reply text,
  leads_to text COLLATE "C",
  bytes bigint DEFAULT 0 NOT NULL
);

CREATE UNIQUE INDEX idempotency_keys_pkey ON parley.idempotency_keys USING btree (scope, key);

CREATE INDEX idempotency_keys_by_expiry ON parley.idempotency_keys USING btree (expires_at);

CREATE INDEX idempotency_keys_by_task ON parley.idempotency_keys USING btree (task) WHERE (task IS NOT NULL);
