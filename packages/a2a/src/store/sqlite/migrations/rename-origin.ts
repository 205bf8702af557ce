/** Names the column of the creating dialect like the member of `TaskRecord`: `createdIn`. */
export const renameOrigin = `
ALTER TABLE tasks RENAME COLUMN origin TO created_in;
`;
