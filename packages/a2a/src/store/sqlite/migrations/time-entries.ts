/** Says when the rows of the log were committed. Nobody knows that of earlier ones: they get the time of the task's status. */
export const timeEntries = `
ALTER TABLE log ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
UPDATE log SET at = coalesce((SELECT status_at FROM tasks WHERE tasks.task = log.task), 0);
`;
