/** A row of the log holds the successive events of a commit, under the sequence of the last of them. */
export const packLog = `
ALTER TABLE log RENAME COLUMN event TO events;
`;
