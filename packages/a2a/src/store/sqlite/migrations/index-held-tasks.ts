/**
 * Finds the tasks that a node holds, those that wait for their callers among them. A task leaves the index when it
 * ends, or when no node holds it any more.
 */
export const indexHeldTasks = `
CREATE INDEX tasks_held ON tasks (node, task_id) WHERE state IN (1, 2, 6, 8) AND node IS NOT NULL;
`;
