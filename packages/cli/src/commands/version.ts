import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import type { Command } from "../command.js";

export const versionCommand: Command = {
  usage: "Usage: parley --version\n\nExample:\n  parley --version\n",
  async run(args, output) {
    parseArgs({ args: [...args] });
    output.stdout.write(`parley ${readVersion()}\n`);
    return 0;
  },
};

function readVersion(): string {
  // By its name, because the bundle is in another folder than this module.
  const manifest: unknown = createRequire(import.meta.url)("@parley/cli/package.json");
  if (typeof manifest === "object" && manifest !== null && "version" in manifest) {
    return String(manifest.version);
  }
  throw new Error("package.json of parley has no version; install parley again");
}
