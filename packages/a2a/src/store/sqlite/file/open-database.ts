import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { A2AError } from "../../../protocol/internal.js";
import { createConnection } from "../connection.js";
import type { Connection } from "../connection.js";
import { loadDriver } from "../driver.js";
import { migrate } from "../migrate.js";
import { createFile } from "./create-file.js";
import { openingFailure } from "./opening-failure.js";
import { findPlaceProblem } from "./place-problem.js";

/**
 * What an acknowledged write survives. `full`: a power failure, because every commit waits for the disk. `process`:
 * the end of the process, however it ends, but not a power failure.
 */
export type Durability = "full" | "process";

export interface DatabaseOptions {
  readonly path: string;
  readonly durability: Durability;
  readonly driver: string;
  readonly busyTimeoutMs: number;
}

/** Opens and migrates a database. Rejects with an `A2AError` that says why it cannot. */
export async function openDatabase(options: DatabaseOptions): Promise<Connection> {
  const { path, durability, driver, busyTimeoutMs } = options;
  const Database = await loadDriver(driver);
  const problem = await findPlaceProblem(path);
  if (problem !== undefined) {
    throw new A2AError("UNAVAILABLE", `cannot open the store ${path}: ${problem}`);
  }
  let db: Connection | undefined;
  try {
    // Tasks are private, so only the owner may read a new folder. An existing folder keeps its mode.
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await createFile(path);
    db = createConnection(new Database(path));
    db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    migrate(db, path, busyTimeoutMs);
    // A file that can only be read is found out here and not by the first caller.
    db.exec("BEGIN IMMEDIATE");
    db.exec("ROLLBACK");
    db.exec(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
    // On macOS fsync leaves data in the cache of the drive; this flushes the cache too.
    db.exec("PRAGMA fullfsync = ON");
    // Overwrites deleted data. The cost is not measurable.
    db.exec("PRAGMA secure_delete = ON");
    db.exec("PRAGMA cache_size = -16384");
    // In pages: 8 MB. Rarer checkpoints write less overall, but each delays the commits behind it longer.
    db.exec("PRAGMA wal_autocheckpoint = 2000");
    return db;
  } catch (cause) {
    db?.close();
    if (A2AError.is(cause)) throw cause;
    throw new A2AError("UNAVAILABLE", await openingFailure(cause, path), { cause });
  }
}
