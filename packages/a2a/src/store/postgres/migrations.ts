import { createTables } from "./migrations/create-tables.js";
import { markUnheardNodes } from "./migrations/mark-unheard-nodes.js";

/** One step from a version of the schema to the next. */
export interface Migration {
  /** What it does, for people. */
  readonly name: string;
  /** Its statements, run in one transaction, for a schema with this quoted name. */
  readonly sql?: (schema: string) => string;
  /**
   * Statements that no transaction can hold, such as `CREATE INDEX CONCURRENTLY`. They may be run again after a failure, so each
   * begins by removing what a failed one left behind.
   */
  readonly outside?: (schema: string) => readonly string[];
  /**
   * The version that a node has to know to work with the result. Only a migration that removes something raises it; by then
   * all nodes are of the release before. Absent: as before.
   */
  readonly minVersion?: number;
}

/**
 * The migrations, in order: each makes a version of the schema from the one before. A released migration is never edited;
 * the next change is one more file. Old and new nodes work side by side during an upgrade, so a migration only adds;
 * what nobody needs any more is removed one release later. `schema.sql` shows the result of all of them.
 */
export const migrations: readonly Migration[] = [
  { name: "create tables", sql: createTables },
  { name: "mark unheard nodes", sql: markUnheardNodes },
];
