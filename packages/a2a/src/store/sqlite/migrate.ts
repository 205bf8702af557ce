import { A2AError } from "../../protocol/internal.js";
import type { Connection } from "./connection.js";
import { migrations } from "./migrations.js";

/** "Prly": marks the file as ours in the header of the database. */
const applicationId = 0x50726c79;

/**
 * Brings a database to the schema of this version. Refuses it, unchanged, when it belongs to another program or
 * was written by a later version. Any number of processes may call this at the same time.
 */
export function migrate(db: Connection, path: string, busyTimeoutMs: number): void {
  if (versionOf(db, path) < migrations.length) {
    // The switch cannot be made within a transaction.
    switchToWal(db, path, busyTimeoutMs);
    db.exec("BEGIN IMMEDIATE");
    try {
      // Another process may have migrated it meanwhile, so the version is read again.
      for (const sql of migrations.slice(versionOf(db, path))) db.exec(sql);
      db.exec(`PRAGMA application_id = ${applicationId}`);
      db.exec(`PRAGMA user_version = ${migrations.length}`);
      db.exec("COMMIT");
    } catch (error) {
      db.exec("ROLLBACK");
      throw error;
    }
  }
  switchToWal(db, path, busyTimeoutMs);
}

function versionOf(db: Connection, path: string): number {
  const row = db.get<{ id: number; version: number; objects: number }>(
    `SELECT (SELECT application_id FROM pragma_application_id) AS id,
       (SELECT user_version FROM pragma_user_version) AS version,
       (SELECT count(*) FROM sqlite_schema) AS objects`,
  );
  const { id = 0, version = 0, objects = 0 } = row ?? {};
  if (id === 0 && version === 0 && objects === 0) return 0;
  if (id !== applicationId) {
    throw new A2AError(
      "UNAVAILABLE",
      `${path} is a database of another program; choose another path`,
    );
  }
  if (version > migrations.length) {
    const found = `its schema is ${version}, this version knows up to ${migrations.length}`;
    const advice = "update Parley, or choose another path";
    throw new A2AError(
      "UNAVAILABLE",
      `${path} was written by a later version of Parley: ${found}; ${advice}`,
    );
  }
  return version;
}

/**
 * With a write-ahead log readers and the writer do not wait for each other, and a commit is one write. Switching
 * needs exclusive access to the file, and SQLite's busy timeout does not apply to it, so this waits itself.
 */
function switchToWal(db: Connection, path: string, busyTimeoutMs: number): void {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      const row = db.get<{ journal_mode: string }>("PRAGMA journal_mode = WAL");
      if (row?.journal_mode === "wal") return;
      throw new A2AError(
        "UNAVAILABLE",
        `SQLite cannot keep a write-ahead log beside ${path}; use a local disk`,
      );
    } catch (error) {
      if (A2AError.is(error) || performance.now() > deadline) throw error;
      sleep(5);
    }
  }
}

/** Blocks the thread. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
