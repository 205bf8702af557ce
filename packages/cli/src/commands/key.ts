import { createKey, hashKey } from "@parley/a2a/auth";
import { text as readAll } from "node:stream/consumers";
import type { Command } from "../command.js";
import { defineCommand } from "../options/define-command.js";
import { textLine } from "../output/text-form.js";
import { writeDocument } from "../output/write-json.js";
import { UsageError } from "../usage-error.js";

/** Makes an API key and its hash. */
export const keyCommand: Command = defineCommand({
  name: "key",
  args: "NAME",
  takes: { min: 1, max: 1 },
  about: [
    "Makes a new API key for a caller, and its hash for the server. The server keeps NAME:HASH only, with which nobody",
    "can call; the key is shown this once. With --stdin it hashes a key that it reads from standard input.",
  ],
  options: ["stdin", "output"],
  examples: ["key ada", "key ada -o json", "key ada --stdin < key.txt"],
  async run({ values, positionals, output, format, hint }) {
    const [name = ""] = positionals;
    if (!/^[^\s:,]+$/.test(name)) {
      throw new UsageError(
        `the name ${JSON.stringify(name)} has spaces, commas or colons; choose another`,
        { hint },
      );
    }
    const { key, hash } = values.stdin ? await readKey(hint) : await createKey();
    const server = `${name}:${hash}`;
    if (format === "json") {
      writeDocument(output.stdout, { name, ...(!values.stdin && { key }), hash, server });
      return;
    }
    if (!values.stdin) output.stdout.write(textLine("Key", key));
    output.stdout.write(textLine("Hash", hash));
    output.stdout.write(textLine("Server", `parley serve --key ${server}`));
    output.stdout.write(textLine("Caller", 'A2ACLI_API_KEY=… parley send "…"'));
  },
});

async function readKey(hint: string): Promise<{ readonly key: string; readonly hash: string }> {
  const key = (await readAll(process.stdin)).trim();
  if (/^[!-~]{20,1024}$/.test(key)) return { key, hash: await hashKey(key) };
  const message =
    "standard input holds no key: at least 20 random letters, digits and signs, without spaces";
  throw new UsageError(message, { hint });
}
