import { checkOptions, fields, flag, oneOf } from "../../options/internal.js";
import type { Rules } from "../../options/internal.js";
import { checkServer, databaseRules, openDatabase, schemaRule } from "../../postgres/internal.js";
import type { Database } from "../../postgres/internal.js";
import type { Store } from "../store.js";
import { checkSchema, refuseOldSchema } from "./migrate.js";
import { migratePostgres } from "./migrate-postgres.js";
import { migrations } from "./migrations.js";
import { Shards } from "./place.js";
import { PostgresStore } from "./postgres-store.js";
import { Scopes } from "./scopes.js";
import { StoreClock } from "./store-clock.js";
import { tablesIn } from "./tables.js";

/** Where the PostgreSQL database is, and how durable its commits are. */
export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/database`. Default: `DATABASE_URL`, then the `PG*` variables, as psql takes them. */
  readonly url?: string;
  /** The schema with the tables. Default: `?schema=` of the URL, else `parley`. */
  readonly schema?: string;
  /** How long operations wait for a database that cannot be reached. Default: 120 seconds, longer than most failovers. */
  readonly patienceMs?: number;
  /**
   * What an acknowledged write has to survive. `disk` (default): a power failure. A server that does not write commits to
   * its disk is refused. `process`: the end of any process.
   */
  readonly durability?: "disk" | "process";
  /** Whether statements are prepared. Default: where no pooler stands in between. */
  readonly prepare?: boolean;
  /** Whether tables that are missing or out of date are made. Default: true. Otherwise they are a mistake. */
  readonly migrate?: boolean;
  /** Is told once when the database cannot be reached, and once when it can again. Default: prints it. */
  readonly report?: (notice: Error) => void;
}

const rules: Rules<PostgresStoreOptions> = {
  url: databaseRules.url,
  schema: schemaRule,
  patienceMs: databaseRules.patienceMs,
  durability: oneOf("disk", "process"),
  prepare: databaseRules.prepare,
  migrate: flag,
  report: databaseRules.report,
};
const settings = {
  // A node that is gone in the middle of a transaction must not keep its locks until the server notices.
  idle_in_transaction_session_timeout: "10s",
  // To plan a statement for its values takes longer than to carry it out. Limits are in the text, so that plans know them.
  plan_cache_mode: "force_generic_plan",
};

const optionsRule = fields(rules, [], 'an object such as { url: "postgres://localhost/parley" }');

/**
 * Opens a store in a PostgreSQL database, which any number of nodes may share. Writes that arrive together share a commit.
 * Needs the optional package `pg`.
 */
export async function openPostgresStore(options: PostgresStoreOptions = {}): Promise<Store> {
  checkOptions("openPostgresStore()", options, optionsRule);
  const { schema: _, durability = "disk", migrate: __, ...connecting } = options;
  const database = await openDatabase({ ...connecting, settings });
  const { schema = database.schema } = options;
  try {
    await checkServer(database, { schema, durability });
    await prepareSchema(database, { ...options, schema });
    const tables = tablesIn(schema);
    const clock = new StoreClock();
    const [row] = await database.read<{ now: number }>({ text: `SELECT ${tables.now} AS now` });
    clock.observe(row?.now ?? 0);
    const scopes = new Scopes(database, tables);
    return new PostgresStore({ database, tables, scopes, clock, shards: new Shards() });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Checks the schema, or makes it what this version expects, on connections of its own that have the time. */
async function prepareSchema(
  database: Database,
  { url, schema, migrate = true }: PostgresStoreOptions & { readonly schema: string },
): Promise<void> {
  const version = { schema, migrations };
  const missing = await checkSchema(database, version);
  if (missing === 0) return;
  if (!migrate) throw refuseOldSchema(database, version, missing);
  await migratePostgres({ schema, ...(url !== undefined && { url }) });
}
