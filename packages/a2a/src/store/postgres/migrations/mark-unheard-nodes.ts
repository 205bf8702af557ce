/** Says which nodes are cut off from the bus. */
export function markUnheardNodes(schema: string): string {
  return `ALTER TABLE ${schema}.nodes ADD COLUMN is_unheard boolean NOT NULL DEFAULT false;`;
}
