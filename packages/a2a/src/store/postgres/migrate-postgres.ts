import { checkOptions, fields, flag } from "../../options/internal.js";
import type { Rules } from "../../options/internal.js";
import { checkServer, databaseRules, openDatabase, schemaRule } from "../../postgres/internal.js";
import { migrate, planMigration } from "./migrate.js";
import type { MigrationReport } from "./migrate.js";
import { migrations } from "./migrations.js";

/** Which schema is brought to this version. */
export interface MigratePostgresOptions {
  /** `postgres://user:password@host:5432/database`. Default: `DATABASE_URL`, then the `PG*` variables, as psql takes them. */
  readonly url?: string;
  /** The schema with the tables. Default: `?schema=` of the URL, else `parley`. */
  readonly schema?: string;
  /** Lists the statements, and writes nothing. */
  readonly isDryRun?: boolean;
}

const rules: Rules<MigratePostgresOptions> = {
  url: databaseRules.url,
  schema: schemaRule,
  isDryRun: flag,
};
const optionsRule = fields(rules, [], 'an object such as { schema: "parley" }');

/**
 * Brings a PostgreSQL schema to the version that this version of Parley expects, and makes it if it is not there. Nodes of
 * the version before go on working meanwhile. `openPostgresStore` does the same unless it is told not to.
 */
export async function migratePostgres(
  options: MigratePostgresOptions = {},
): Promise<MigrationReport> {
  checkOptions("migratePostgres()", options, optionsRule);
  const { url, isDryRun = false } = options;
  // A change of a large table takes as long as it takes. Nobody waits long for its lock, since all others wait behind it.
  await using database = await openDatabase({
    ...(url !== undefined && { url }),
    statementTimeoutMs: 0,
    writers: 1,
    readers: 1,
  });
  const { schema = database.schema } = options;
  await checkServer(database, { schema, durability: "process" });
  const work = isDryRun ? planMigration : migrate;
  return await work(database, { schema, migrations });
}
