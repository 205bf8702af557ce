import { A2AError } from "../../protocol/internal.js";

/** A value that is bound to a statement. Booleans are stored as numbers, absent values as `null`. */
export type SqliteValue = string | number | null;

export interface SqliteStatement {
  run(...values: SqliteValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
}

/**
 * The part of a SQLite driver that is used: what `libsql`, `better-sqlite3`, `node:sqlite` and `bun:sqlite` have in
 * common.
 */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

type DatabaseConstructor = new (path: string) => SqliteDatabase;

/** Imports a driver by the name or URL of its module. */
export async function loadDriver(module: string): Promise<DatabaseConstructor> {
  let driver: { readonly DatabaseSync?: unknown; readonly default?: unknown };
  try {
    driver = (await import(module)) as typeof driver;
  } catch (cause) {
    throw new A2AError(
      "UNAVAILABLE",
      `the SQLite driver ${module} cannot be loaded; ${advice(module)}`,
      {
        cause,
      },
    );
  }
  const constructor = driver.DatabaseSync ?? driver.default;
  if (typeof constructor !== "function") {
    throw new A2AError("UNAVAILABLE", `the module ${module} exports no SQLite database`);
  }
  return constructor as DatabaseConstructor;
}

function advice(module: string): string {
  return module === "node:sqlite"
    ? "it needs node 22.13 or later"
    : `install it with \`npm install ${module}\`, or name another one as \`driver\``;
}
