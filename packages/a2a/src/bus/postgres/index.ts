/** Wake-ups over PostgreSQL's LISTEN and NOTIFY. Needs the optional package `pg`. */

export { openPostgresBus } from "./open-postgres-bus.js";
export type { PostgresBusOptions } from "./open-postgres-bus.js";
export type { Bus } from "../bus.js";
