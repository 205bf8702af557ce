import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** The version of Parley. */
export const version: string = (require("@parley/inspector/package.json") as { version: string })
  .version;
