import { createRequire } from "node:module";
import { sdkScope, sdkTables } from "../cluster/sdk-store.js";

interface Database {
  exec(sql: string): void;
  prepare(sql: string): { all(...values: (string | number)[]): unknown[] };
  close(): void;
}

/** The driver that the library depends on. */
const require = createRequire(import.meta.resolve("@parley/a2a/package.json"));
const Driver = require("libsql") as new (path: string) => Database;

/** A task that the server has made, of which others are copies. */
export interface Template {
  readonly id: string;
  readonly contextId: string;
  readonly messageId: string;
  /** The timestamp of its status. */
  readonly timestamp: string;
}

/** How many tasks there are, and how many of them are later than the template. */
export interface Crowd {
  readonly count: number;
  readonly later: number;
}

const newId = (n: string, variant: number | string): string =>
  `printf('%08x-0000-4000-${variant}000-%012x', ${n}, ${n})`;

/**
 * Copies a task that the server has written, row by row and whatever the tables are, with other ids and a second between
 * one and the next. The server is closed meanwhile.
 */
export function fillTasks(path: string, template: Template, { count, later }: Crowd): void {
  const database = new Driver(path);
  const [found] = database
    .prepare("SELECT task, status_at FROM tasks WHERE task_id = ?")
    .all(template.id) as { readonly task: number; readonly status_at: number }[];
  if (found === undefined) throw new Error(`there is no task ${template.id} in ${path}`);
  const replaced = {
    [template.id]: "copies.id",
    [template.contextId]: "copies.context",
    [template.messageId]: "copies.message",
    [template.timestamp]: "copies.stamp",
  };
  const shift = `(n - ${count - later}) * 1000`;
  const copies = `copies AS MATERIALIZED (SELECT n, ${newId("n", 8)} AS id, ${newId("n", 9)} AS context,
    ${newId("n", "a")} AS message, ${shift} AS shift,
    strftime('%Y-%m-%dT%H:%M:%fZ', (${found.status_at} + ${shift}) / 1000.0, 'unixepoch') AS stamp FROM numbers)`;
  writeFast(database, () => {
    for (const table of ["tasks", "log", "checkpoints", "summaries", "message_ids"]) {
      const rows = database.prepare(`SELECT * FROM ${table} WHERE task = ${found.task}`).all();
      for (const row of rows as Record<string, string | number | null>[]) {
        const { entry: _, ...columns } = row;
        const values = Object.entries(columns).map(([name, value]) => {
          if (name === "task") return "1000000000 + n";
          if (name === "status_at" || name === "at") return `${value} + copies.shift`;
          return copyOf(value, replaced);
        });
        database.exec(`INSERT INTO ${table} (${Object.keys(columns).join(", ")})
          ${numbers(count)}, ${copies} SELECT ${values.join(", ")} FROM copies`);
      }
    }
    const bytes = `(SELECT sum(bytes) FROM tasks WHERE tasks.scope = counters.scope AND tasks.state = counters.state)`;
    database.exec(
      `UPDATE counters SET tasks = tasks + ${count}, bytes = ${bytes} WHERE state >= 0 AND tasks > 0`,
    );
  });
  database.close();
}

/** An expression for a value of a row, in which what tells a copy from the template is replaced. */
function copyOf(value: string | number | null, replaced: Readonly<Record<string, string>>): string {
  if (typeof value !== "string") return String(value ?? "NULL");
  return Object.entries(replaced)
    .filter(([from]) => value.includes(from))
    .reduce((text, [from, to]) => `replace(${text}, '${from}', ${to})`, quoted(value));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Writes as many tasks of the same content into a file for the SDK. */
export function fillSdkTasks(path: string, { count }: Crowd, task: object): void {
  const { status, artifacts, history } = task as Record<string, unknown>;
  const database = new Driver(path);
  database.exec(sdkTables.replaceAll('COLLATE "C"', ""));
  const text = (value: unknown): string => quoted(JSON.stringify(value));
  const [tenant, subject] = sdkScope;
  const now = Date.now();
  writeFast(database, () =>
    database.exec(`INSERT INTO tasks ${numbers(count)} SELECT '${tenant}', '${subject}',
      ${newId("n", 8)}, ${newId("n", 9)}, ${now} + n * 1000, 'TASK_STATE_COMPLETED', ${text(status)},
      ${text(artifacts)}, ${text(history)}, NULL, '1.0' FROM numbers`),
  );
  database.close();
}

/** Writes much at once, without a journal and with the indexes afterwards. Leaves the file with a write-ahead log. */
function writeFast(database: Database, write: () => void): void {
  // A pragma that returns a row has to be read.
  const [mode] = database.prepare("PRAGMA journal_mode = OFF").all();
  database.exec("PRAGMA synchronous = OFF");
  database.exec("PRAGMA cache_size = -262144");
  const indexes = dropIndexes(database);
  database.exec("BEGIN");
  write();
  database.exec("COMMIT");
  for (const sql of indexes) database.exec(sql);
  database.prepare("PRAGMA journal_mode = WAL").all();
  if (mode === undefined) throw new Error("the journal cannot be changed");
}

/** Building indexes afterwards sorts once instead of searching a million times. Returns how to build them. */
function dropIndexes(database: Database): string[] {
  const indexes = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    .all() as { readonly name: string; readonly sql: string }[];
  for (const { name } of indexes) database.exec(`DROP INDEX ${name}`);
  return indexes.map(({ sql }) => sql);
}

function numbers(count: number): string {
  return `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;
}
