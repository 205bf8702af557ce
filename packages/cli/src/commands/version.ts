import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { Command } from "../command.js";

export const versionCommand: Command = {
  usage: "Usage: parley --version\n\nExample:\n  parley --version\n",
  async run(args, output) {
    parseArgs({ args: [...args] });
    output.stdout.write(`parley ${await readVersion()}\n`);
    return 0;
  },
};

async function readVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(
    await readFile(new URL("../../package.json", import.meta.url), "utf8"),
  );
  if (typeof manifest === "object" && manifest !== null && "version" in manifest) {
    return String(manifest.version);
  }
  throw new Error("package.json of parley has no version; install parley again");
}
