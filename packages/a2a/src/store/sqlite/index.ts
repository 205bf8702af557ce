/**
 * The embedded store: one SQLite file, in a worker thread, with group commit. Nothing outside this folder
 * knows of SQL, and nothing in it of agents or callers.
 */
export { openSqliteStore } from "./open-sqlite-store.js";
export type { SqliteStoreOptions } from "./open-sqlite-store.js";
