import { codeOf, ConnectionLost, refuseDatabase } from "../../postgres/internal.js";
import type { Database, Session } from "../../postgres/internal.js";
import { delay, foregroundClock } from "../../async/internal.js";
import type { Migration } from "./migrations.js";
import { quoteName } from "./tables.js";

/** Which migrations a schema has had, and which version a node has to know at least to work with it. */
export interface SchemaVersion {
  readonly version: number;
  readonly minVersion: number;
}

export interface MigrateOptions {
  readonly schema: string;
  readonly migrations: readonly Migration[];
}

/** What was done, or would be done. */
export interface MigrationReport {
  /** The version of the schema before; 0 when there was none. */
  readonly from: number;
  readonly to: number;
  /** The statements of each version, which begin with a comment that names it. */
  readonly steps: readonly string[];
}

/** Another node that migrates is asked this often whether it has finished. */
const retryMs = 100;

/**
 * Refuses a schema that this version cannot work with. Resolves with the number of migrations that it lacks: 0 when it is
 * as this version expects it, or later and still compatible. Writes nothing.
 */
export async function checkSchema(
  database: Database,
  { schema, migrations }: MigrateOptions,
): Promise<number> {
  const { version, minVersion } = await readVersion(
    { read: (query) => database.read(query) },
    schema,
  ).catch((error: unknown) => {
    throw explain(database, schema, error);
  });
  const known = migrations.length;
  if (known < minVersion) {
    const found = `needs a node that knows version ${minVersion}, and this one knows up to ${known}`;
    throw refuseDatabase(
      database,
      `a later version of Parley has changed the schema "${schema}", which ${found}; update Parley, or choose another schema`,
    );
  }
  if (version > 0) await checkRights(database, schema);
  return Math.max(0, known - version);
}

/** A right that is missing is found out here and not by the first caller. */
async function checkRights(database: Database, schema: string): Promise<void> {
  const rights = ["SELECT", "INSERT", "UPDATE", "DELETE"];
  const checks = rights.map((right) => `has_table_privilege(c.oid, '${right}')`);
  const [closed] = await database.read<{ name: string }>({
    text: `SELECT relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname = $1 AND relkind IN ('r', 'p') AND relname <> 'parley_meta'
      AND NOT (${checks.join(" AND ")}) ORDER BY relname LIMIT 1`,
    values: [schema],
  });
  if (!closed) return;
  const grant = `GRANT ${rights.join(", ")} ON ALL TABLES IN SCHEMA "${schema}" TO "${database.user}"`;
  throw refuseDatabase(
    database,
    `this user may not use the table "${closed.name}" of the schema "${schema}"; run \`${grant}\` as its owner`,
  );
}

/** The error for a schema that lacks migrations which this process may not make. */
export function refuseOldSchema(
  database: Database,
  { schema, migrations }: MigrateOptions,
  missing: number,
): Error {
  const known = migrations.length;
  const found =
    missing === known
      ? `there are no tables in the schema "${schema}"`
      : `the schema "${schema}" has version ${known - missing}, and this version of Parley needs ${known}`;
  return refuseDatabase(database, `${found}; run \`parley migrate\``);
}

/** The migrations that a schema lacks. Writes nothing. */
export async function planMigration(
  database: Database,
  options: MigrateOptions,
): Promise<MigrationReport> {
  const to = options.migrations.length;
  const from = to - (await checkSchema(database, options));
  return { from, to, steps: options.migrations.slice(from).map(stepIn(options.schema, from)) };
}

/**
 * Makes the migrations that a schema lacks, each in a transaction of its own. Any number of nodes may call this at the same
 * time: one works, and the others wait for it.
 */
export async function migrate(
  database: Database,
  options: MigrateOptions,
): Promise<MigrationReport> {
  const plan = await planMigration(database, options);
  let missing = plan.steps.length;
  while (missing > 0) {
    try {
      missing = await database.transaction("write", (session) =>
        migrateOnce(database, session, options),
      );
    } catch (error) {
      // The version tells whether it was carried out.
      if (!(error instanceof ConnectionLost)) throw explain(database, options.schema, error);
      missing = await checkSchema(database, options);
    }
  }
  return plan;
}

/** Makes the next migration, if this node is the one to do so. Resolves with how many are missing. */
async function migrateOnce(
  database: Database,
  session: Session,
  { schema, migrations }: MigrateOptions,
): Promise<number> {
  // Not a lock that waits: an index that is built CONCURRENTLY waits for the snapshot of whoever waits here.
  const [lock] = await session.query<{ taken: boolean }>({
    text: "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken",
    values: [`parley schema ${schema}`],
  });
  if (lock?.taken !== true) {
    await delay(foregroundClock, retryMs);
    return checkSchema(database, { schema, migrations });
  }
  // A statement that looks after the lock was taken sees what its last holder did.
  const before = await readVersion({ read: (query) => session.query(query) }, schema);
  const migration = migrations[before.version];
  if (migration === undefined) return 0;
  const place = quoteName(schema);
  if (before.version === 0) await createMeta(session, schema);
  const { sql, outside, minVersion = before.minVersion } = migration;
  if (sql) await session.query({ text: sql(place) });
  // On another connection, because this one is in a transaction. Each of them may be repeated.
  for (const text of outside?.(place) ?? []) {
    await database.withSession("lease", (other) => other.query({ text }));
  }
  const version = before.version + 1;
  await session.query({
    text: `UPDATE ${place}.parley_meta SET version = $1, min_version = $2`,
    values: [version, minVersion],
  });
  return migrations.length - version;
}

async function createMeta(session: Session, schema: string): Promise<void> {
  const [found] = await session.query({
    text: "SELECT 1 FROM pg_namespace WHERE nspname = $1",
    values: [schema],
  });
  const place = quoteName(schema);
  // IF NOT EXISTS asks for the right to create a schema even where there is one.
  if (!found) await session.query({ text: `CREATE SCHEMA ${place}` });
  await session.query({
    text: `CREATE TABLE ${place}.parley_meta (version integer NOT NULL, min_version integer NOT NULL)`,
  });
  await session.query({ text: `INSERT INTO ${place}.parley_meta VALUES (0, 0)` });
}

async function readVersion(
  { read }: Pick<Database, "read">,
  schema: string,
): Promise<SchemaVersion> {
  const table = `${quoteName(schema)}.parley_meta`;
  const text = "SELECT 1 WHERE to_regclass($1) IS NOT NULL";
  if ((await read({ text, values: [table] })).length === 0) return { version: 0, minVersion: 0 };
  const [row] = await read<SchemaVersion>({
    text: `SELECT version, min_version AS "minVersion" FROM ${table}`,
  });
  return row ?? { version: 0, minVersion: 0 };
}

function stepIn(schema: string, from: number): (migration: Migration, index: number) => string {
  const place = quoteName(schema);
  return ({ name, sql, outside }, index) =>
    [`-- ${from + index + 1}: ${name}`, sql?.(place).trim() ?? [], outside?.(place) ?? []]
      .flat()
      .join("\n");
}

function explain(database: Database, schema: string, error: unknown): unknown {
  const message = error instanceof Error ? error.message : "";
  switch (codeOf(error)) {
    case "42703":
    case "42723":
    case "42P07":
      return refuseDatabase(
        database,
        `the schema "${schema}" belongs to another program (${message}); choose another schema`,
      );
    case "42501":
      return refuseDatabase(
        database,
        `this user may not read or change the schema "${schema}" (${message}); run \`parley migrate\` as its owner, or grant the right`,
      );
    case "55P03":
      return refuseDatabase(
        database,
        `another session holds a lock on a table of "${schema}" (${message}); try again when it is done`,
      );
    default:
      return error;
  }
}
