/** Wake-ups over PostgreSQL's LISTEN and NOTIFY. */
export { openPostgresBus } from "./open-postgres-bus.js";
