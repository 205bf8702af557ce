/**
 * Connections to PostgreSQL, with no knowledge of tasks: where the database is, lanes that open their connections again, and what
 * is wrong in plain words.
 */
export { checkServer, refuseDatabase } from "./check-server.js";
export { openConnection } from "./connection.js";
export type { Connection } from "./connection.js";
export { ConnectionLost } from "./database.js";
export type { Database, Lane, Query, Session } from "./database.js";
export { databaseRules, schemaRule } from "./database-options.js";
export type { DatabaseOptions } from "./database-options.js";
export { codeOf, failureLine } from "./failure-reason.js";
export { loadPg } from "./load-pg.js";
export { openDatabase } from "./open-database.js";
export { parseTarget } from "./target.js";
export type { Target } from "./target.js";
