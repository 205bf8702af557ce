/**
 * Makes a push configuration the queue of its notifications. Its row says when the queue is due and which node has
 * claimed it, so that a delivery is one short row.
 */
export const queueNotifications = `
DROP TABLE deliveries;
DROP TABLE buried_deliveries;
ALTER TABLE push_configs RENAME TO earlier_push_configs;

-- Details are numbered from the least; due_at is there while something waits, claimed_by during a claim.
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
  body TEXT NOT NULL,
  UNIQUE (task, config_id)
) STRICT;
CREATE INDEX push_configs_by_due_at ON push_configs (agent, due_at, host) WHERE due_at IS NOT NULL;
INSERT INTO push_configs (task, config_id, agent, host, attempts, dialect, detail, body)
  SELECT task, config_id, agent, '', 0, dialect, iif(dialect = '1.0', 2, 1), config
  FROM earlier_push_configs JOIN tasks USING (task_id);
DROP TABLE earlier_push_configs;

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
`;
