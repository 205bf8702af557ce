/**
 * The embedded store: one SQLite file in a worker thread, with group commit. Nothing outside this folder knows
 * SQL, and nothing inside it knows agents or callers.
 */
export { openSqliteStore } from "./open-sqlite-store.js";
