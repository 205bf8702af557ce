/** Wake-ups between processes of one machine that share a SQLite file. */

export { openFileBus } from "./open-file-bus.js";
export type { FileBusOptions } from "./open-file-bus.js";
export type { Bus } from "../bus.js";
