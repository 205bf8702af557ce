import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { A2AError } from "../../protocol/internal.js";
import { createConnection } from "./connection.js";
import type { Connection } from "./connection.js";
import { loadDriver } from "./driver.js";
import { migrate } from "./migrate.js";

/**
 * What an acknowledged write survives: `full` the loss of power, at the price of waiting for the disk
 * once per commit; `process` the end of the process by any means.
 */
export type Durability = "full" | "process";

export interface DatabaseOptions {
  readonly path: string;
  readonly durability: Durability;
  readonly driver: string;
  readonly busyTimeoutMs: number;
}

/** Opens a database that is ready for use, or throws an `A2AError` that says why it is not. */
export async function openDatabase(options: DatabaseOptions): Promise<Connection> {
  const { path, durability, driver, busyTimeoutMs } = options;
  const Database = await loadDriver(driver);
  let db: Connection | undefined;
  try {
    // Tasks are private; what exists already is left as it is.
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    db = createConnection(new Database(path));
    db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    migrate(db, path, busyTimeoutMs);
    db.exec(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
    // Some systems leave data in the drive's memory unless they are asked twice.
    db.exec("PRAGMA fullfsync = ON");
    // What is deleted is overwritten. It costs nothing that can be measured.
    db.exec("PRAGMA secure_delete = ON");
    db.exec("PRAGMA cache_size = -16384");
    // In pages: 8 MB. Rarer checkpoints write less in all, but each holds up the commits behind it longer.
    db.exec("PRAGMA wal_autocheckpoint = 2000");
    return db;
  } catch (cause) {
    db?.close();
    if (A2AError.is(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new A2AError("UNAVAILABLE", `cannot open the store ${path}: ${reason}`, { cause });
  }
}
