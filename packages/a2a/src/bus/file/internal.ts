/** Wake-ups between processes of one machine. */
export { openFileBus } from "./open-file-bus.js";
