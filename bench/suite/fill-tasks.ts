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

const newTask = (n: string): string => `printf('%08x-0000-4000-8000-%012x', ${n}, ${n})`;
const newContext = (n: string): string => `printf('%08x-0000-4000-9000-%012x', ${n}, ${n})`;
const newMessage = (n: string): string => `printf('%08x-0000-4000-a000-%012x', ${n}, ${n})`;

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
  const all = `(1000000000 + n)`;
  const at = (column: string): string => `${column} + (n - ${count - later}) * 1000`;
  const stamp = `strftime('%Y-%m-%dT%H:%M:%fZ', (${at(String(found.status_at))}) / 1000.0, 'unixepoch')`;
  const told = (column: string): string =>
    [
      [template.id, newTask("n")],
      [template.contextId, newContext("n")],
      [template.messageId, newMessage("n")],
      [template.timestamp, stamp],
    ].reduce((text, [from, to]) => `replace(${text}, '${from}', ${to})`, column);
  const valueOf = ({ name, type }: Column): string => {
    if (name === "task") return all;
    if (name === "status_at" || name === "at") return at(name);
    return type === "TEXT" ? told(name) : name;
  };
  database.exec("PRAGMA synchronous = OFF");
  const indexes = dropIndexes(database);
  database.exec("BEGIN");
  for (const table of ["tasks", "log", "checkpoints", "summaries", "message_ids"]) {
    const columns = columnsOf(database, table).filter(({ name }) => name !== "entry");
    const names = columns.map(({ name }) => name).join(", ");
    // A table of numbers on the outside keeps what is written in the order of its key.
    database.exec(`INSERT INTO ${table} (${names})
      ${numbers(count)} SELECT ${columns.map(valueOf).join(", ")}
      FROM numbers CROSS JOIN (SELECT * FROM ${table} WHERE task = ${found.task})`);
  }
  const share = `(SELECT sum(bytes) FROM tasks WHERE tasks.scope = counters.scope AND tasks.state = counters.state)`;
  database.exec(
    `UPDATE counters SET tasks = tasks + ${count}, bytes = ${share} WHERE state >= 0 AND tasks > 0`,
  );
  database.exec("COMMIT");
  for (const sql of indexes) database.exec(sql);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

/** Writes as many tasks of the same content into a file for the SDK. */
export function fillSdkTasks(path: string, { count }: Crowd, task: object): void {
  const { status, artifacts, history } = task as Record<string, unknown>;
  const database = new Driver(path);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = OFF");
  database.exec(sdkTables.replaceAll('COLLATE "C"', ""));
  const text = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "''")}'`;
  const [tenant, subject] = sdkScope;
  const now = Date.now();
  database.exec(`INSERT INTO tasks ${numbers(count)} SELECT '${tenant}', '${subject}', ${newTask("n")},
    ${newContext("n")}, ${now} + n * 1000, 'TASK_STATE_COMPLETED', ${text(status)}, ${text(artifacts)},
    ${text(history)}, NULL, '1.0' FROM numbers`);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

interface Column {
  readonly name: string;
  readonly type: string;
}

function columnsOf(database: Database, table: string): readonly Column[] {
  return database.prepare(`PRAGMA table_info(${table})`).all() as Column[];
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
