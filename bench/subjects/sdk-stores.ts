import { createRequire } from "node:module";
import { openRawPool } from "../cluster/pg.js";
import type { Raw, RawRow } from "../cluster/pg.js";
import { SdkStore, sdkTables } from "../cluster/sdk-store.js";

interface Statement {
  readonly reader: boolean;
  run(values: readonly unknown[]): unknown;
  all(values: readonly unknown[]): RawRow[];
}

interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** What the SDK's store does on PostgreSQL, over as many connections as `pg` opens by default. */
export async function openSdkPostgres(url: string): Promise<SdkStore> {
  const pool = openRawPool(url);
  await pool.query(sdkTables);
  return new SdkStore(pool);
}

/**
 * What the SDK's store does on SQLite: the same statements on one connection, on the main thread, as `better-sqlite3` does
 * them. Without a journal mode the file has SQLite's default, as in the SDK's guide.
 */
export async function openSdkSqlite(path: string, journal = "DELETE"): Promise<SdkStore> {
  const require = createRequire(import.meta.resolve("@parley/a2a/package.json"));
  const Driver = require("libsql") as new (path: string) => Database;
  const database = new Driver(path);
  database.exec(`PRAGMA journal_mode = ${journal}`);
  const [made] = database.prepare("SELECT name FROM sqlite_schema WHERE name = 'tasks'").all([]);
  if (made === undefined) database.exec(sdkTables.replaceAll('COLLATE "C"', ""));
  const statements = new Map<string, Statement>();
  const raw: Raw = {
    async query(query) {
      const { text, values = [] } = typeof query === "string" ? { text: query } : query;
      const prepared = statements.get(text) ?? database.prepare(text.replaceAll(/\$\d+/g, "?"));
      statements.set(text, prepared);
      if (prepared.reader) return prepared.all(values);
      prepared.run(values);
      return [];
    },
    [Symbol.asyncDispose]: async () => database.close(),
  };
  return new SdkStore(raw);
}
