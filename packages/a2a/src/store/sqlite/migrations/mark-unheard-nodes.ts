/** Says which nodes are cut off from the bus. */
export const markUnheardNodes = `
ALTER TABLE nodes ADD COLUMN is_unheard INTEGER NOT NULL DEFAULT 0;
`;
