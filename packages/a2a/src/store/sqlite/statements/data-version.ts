import type { Connection } from "../connection.js";

/** Another number than before if another connection has committed since. */
export function selectDataVersion(db: Connection): number {
  return db.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
}
