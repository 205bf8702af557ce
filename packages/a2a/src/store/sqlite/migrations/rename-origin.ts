/** The dialect of the call that created a task has the name it has everywhere else. */
export const renameOrigin = `
ALTER TABLE tasks RENAME COLUMN origin TO created_in;
`;
