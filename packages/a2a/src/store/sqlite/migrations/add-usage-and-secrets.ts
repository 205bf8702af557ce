/**
 * Adds the sizes of tasks, summed in the rows that count them, so that a change of both is one write. Adds the
 * secrets that all nodes share.
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
