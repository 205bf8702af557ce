import * as fs from "node:fs";
import { dirname } from "node:path";
import type { NodeInfo } from "../../lease-store.js";
import { rollBack } from "../connection.js";
import type { Connection } from "../connection.js";
import { releaseNode, renewNode } from "../statements/nodes.js";

/** What the node says of itself that is written and deleted to try. */
const nobody: NodeInfo = { agent: "", revision: "", version: "" };

/** What has to work again before a fault is over. */
export interface Probe {
  /** How much a write needs that failed because there was no room for it; 0: there was room. */
  readonly bytes: number;
  /** The file was damaged, so all of it has to be read. */
  readonly reads: boolean;
}

/** Throws as long as the file cannot be used. Waits for nobody. */
export function probeFile(
  db: Connection,
  { path, busyTimeoutMs }: { readonly path: string; readonly busyTimeoutMs: number },
  { bytes, reads }: Probe,
): void {
  if (bytes > 0) checkRoom(path, bytes);
  db.exec("PRAGMA busy_timeout = 0");
  try {
    db.exec("BEGIN IMMEDIATE");
    try {
      renewNode(db, { node: "probe", forMs: 0, info: nobody }, 0);
      releaseNode(db, "probe");
      db.exec("COMMIT");
    } catch (error) {
      rollBack(db);
      throw error;
    }
    if (reads) checkPages(db);
  } finally {
    db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  }
}

/** A small write may find room in the write-ahead log while a larger one does not. */
function checkRoom(path: string, bytes: number): void {
  // Not every runtime has it.
  const statfs = "statfsSync" in fs ? fs.statfsSync : undefined;
  const disk = statfs?.(dirname(path));
  if (disk === undefined || disk.bavail * disk.bsize >= 2 * bytes) return;
  throw Object.assign(new Error("there is still too little room"), { code: "ENOSPC" });
}

/** Reads the whole file from the disk, up to the first page that is damaged. */
function checkPages(db: Connection): void {
  db.exec("PRAGMA shrink_memory");
  const row = db.get<{ quick_check: string }>("PRAGMA quick_check(1)");
  if (row?.quick_check === "ok") return;
  throw Object.assign(new Error(row?.quick_check), { code: "SQLITE_CORRUPT" });
}
