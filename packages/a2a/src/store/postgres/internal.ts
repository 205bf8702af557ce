/**
 * The store for many nodes: one PostgreSQL database, with group commit. Nothing outside this folder knows its tables, and
 * nothing inside it knows agents or callers.
 */
export { openPostgresStore } from "./open-postgres-store.js";
