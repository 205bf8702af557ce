/**
 * The store for many nodes: a PostgreSQL database. Needs the optional package `pg`.
 */

export { openPostgresStore } from "./open-postgres-store.js";
export type { PostgresStoreOptions } from "./open-postgres-store.js";
export { migratePostgres } from "./migrate-postgres.js";
export type { MigratePostgresOptions } from "./migrate-postgres.js";
export type { MigrationReport } from "./migrate.js";
export type { Store } from "../store.js";
