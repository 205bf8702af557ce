/**
 * What tasks take up, summed where they are counted, so that a change of either is one write. Secrets are
 * what all nodes have to agree on.
 */
export const addUsageAndSecrets = `
ALTER TABLE tasks ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE counters ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE tasks SET bytes =
  coalesce((SELECT length(body) FROM checkpoints WHERE checkpoints.task = tasks.task), 0);
UPDATE counters SET bytes = coalesce(
  (SELECT sum(bytes) FROM tasks WHERE tasks.scope = counters.scope AND tasks.state = counters.state), 0);

CREATE INDEX scopes_by_subject ON scopes (subject, agent);

CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
