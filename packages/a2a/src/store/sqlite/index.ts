/**
 * The embedded store: one SQLite file that several processes of one machine may share. Needs the optional
 * package `libsql`.
 */

export { openSqliteStore } from "./open-sqlite-store.js";
export type { Store } from "../store.js";
export type { SqliteStoreOptions } from "./open-sqlite-store.js";
