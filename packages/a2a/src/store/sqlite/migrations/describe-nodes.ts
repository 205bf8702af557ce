/** Says more of nodes than how long their leases last. Nodes that are there keep their leases and get a slot each. */
export const describeNodes = `
ALTER TABLE nodes ADD COLUMN slot INTEGER NOT NULL DEFAULT 0;
ALTER TABLE nodes ADD COLUMN agent TEXT NOT NULL DEFAULT '';
ALTER TABLE nodes ADD COLUMN revision TEXT NOT NULL DEFAULT '';
ALTER TABLE nodes ADD COLUMN version TEXT NOT NULL DEFAULT '';
ALTER TABLE nodes ADD COLUMN address TEXT;
ALTER TABLE nodes ADD COLUMN is_draining INTEGER NOT NULL DEFAULT 0;
UPDATE nodes SET slot = (SELECT count(*) FROM nodes AS before WHERE before.node < nodes.node);
`;
