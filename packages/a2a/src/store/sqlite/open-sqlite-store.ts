import { resolve } from "node:path";
import { systemClock } from "../../async/internal.js";
import type { Clock } from "../../async/internal.js";
import {
  callback,
  checkOptions,
  fields,
  oneOf,
  rule,
  text,
  timerMs,
  withMethods,
} from "../../options/internal.js";
import type { Rules } from "../../options/internal.js";
import { A2AError } from "../../protocol/internal.js";
import { consoleLog } from "../../protocol/telemetry/internal.js";
import type { Store } from "../store.js";
import { DatabaseThread } from "./database-thread.js";
import type { Durability } from "./file/open-database.js";
import { SqliteStore } from "./sqlite-store.js";

/** Where the SQLite file is, and how durable its commits are. */
export interface SqliteStoreOptions {
  /** The database file. It and its folder are created if they do not exist. */
  readonly path: string;
  /** Default: `full`. */
  readonly durability?: Durability;
  /** The module of the SQLite driver: `libsql` (default), `better-sqlite3`, `node:sqlite`, `bun:sqlite`, or a URL. */
  readonly driver?: string;
  /** How long to wait for another process that writes to the same file. Default: 10 seconds. */
  readonly busyTimeoutMs?: number;
  /**
   * Is told when the file cannot be used, and when it can again: once, however many calls fail, with the path and the
   * cause in plain words. Default: prints it.
   */
  readonly report?: (notice: Error) => void;
  /** The store's time, for tests: processes that share the file have to share the clock. Default: the system's. */
  readonly clock?: Pick<Clock, "now">;
}

const rules: Rules<SqliteStoreOptions> = {
  path: rule((value) => (typeof value === "string" ? undefined : "the path of a file")),
  durability: oneOf("full", "process"),
  driver: text('the name of a module, such as "libsql"'),
  busyTimeoutMs: timerMs(0),
  report: callback,
  clock: withMethods(["now"], "a clock with the method now"),
};
const optionsRule = fields(rules, ["path"], 'an object such as { path: "tasks.db" }');

/**
 * Opens the embedded store: one SQLite file, which several processes of one machine may share. The database runs
 * in its own thread, so the event loop never waits for the disk, and writes that arrive together share a commit.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  checkOptions("openSqliteStore()", options, optionsRule);
  const { path, durability = "full", driver = "libsql", busyTimeoutMs = 10_000 } = options;
  const { report = tellConsole } = options;
  if (path === "" || path.startsWith(":memory:")) {
    const message = `a SQLite store needs a file, not "${path}"; use the memory store instead`;
    throw new A2AError("UNAVAILABLE", message);
  }
  // Absolute, so that no driver mistakes it for the URL of a server.
  const place = resolve(path);
  const { clock } = options;
  const data = { path: place, durability, driver, busyTimeoutMs };
  const thread = await DatabaseThread.open(data, { report, ...(clock && { clock }) });
  return new SqliteStore({ thread, path, clock: clock ?? systemClock });
}

function tellConsole({ message: msg }: Error): void {
  consoleLog("warn", "store.notice", { msg });
}
