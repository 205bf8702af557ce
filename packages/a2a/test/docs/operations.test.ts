import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { serve } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { openFolder } from "../support/files/open-folder.js";
import { startPostgres } from "../support/postgres/start-postgres.js";
import { blocksOf, pathInRoot } from "./page.js";

const page = "docs/operations.md";

/** The commands of the page in the order of reading, without comments. */
const commands = blocksOf(page)
  .filter(({ language }) => language === "sh")
  .flatMap(({ code }) => code.split("\n"))
  .map((line) => line.replace(/ +#.*$/, "").trim())
  .filter((line) => line !== "");

/** What each command has to say. */
const expected: Readonly<Record<string, RegExp>> = {
  "parley migrate --dry-run": /^The schema would go from version 0 to \d+:\n-- /,
  "parley migrate": /^The schema went from version 0 to \d+:\n/,
  "parley serve": /^Page: http:[^]*^Store: postgres /m,
  "parley cluster status": /^SLOT .*\n\d .* Echo .* no +0\n/,
  'parley drain "$NODE"': /^Drained: /,
  'parley drain "$NODE" --undo': /^Takes tasks again: /,
};

it("the commands of operations.md do what they say, one after the other", async () => {
  const ofParley = commands.filter((command) => command.startsWith("parley "));
  expect(ofParley).toEqual(Object.keys(expected));
  await using folder = await openFolder();
  await using postgres = await startPostgres();
  const url = await postgres.createDatabase();
  const main = pathInRoot("packages/cli/dist/main.js");
  const script = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`;
  await writeFile(folder.file("parley"), script, { mode: 0o755 });
  const { NATS_URL: _, ...inherited } = process.env;
  const env = { ...inherited, DATABASE_URL: url, PATH: `${folder.path}:${process.env["PATH"]}` };
  const runAll = async (some: readonly string[], NODE = ""): Promise<void> => {
    for (const command of some) {
      expect(await run(command, { ...env, NODE })).toMatch(expected[command] ?? "");
    }
  };
  const first = ofParley.indexOf("parley serve");
  await runAll(ofParley.slice(0, first));
  // The node that is listed and drained.
  const echo = agent({ name: "Echo", description: "Echoes", run: ({ text }) => text });
  await using server = await serve(echo, { store: url, port: 0 });
  await runAll(ofParley.slice(first), server.url);
});

/** Runs a command to its end, a server until it has said how to call it; resolves with what it wrote. */
async function run(command: string, env: NodeJS.ProcessEnv): Promise<string> {
  const isServer = command === "parley serve";
  const child = spawn("sh", ["-c", isServer ? `exec ${command} --port 0 --no-grpc` : command], {
    env,
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
      if (isServer && name === "stdout" && said.stdout.endsWith("'\n")) child.kill("SIGTERM");
    });
  }
  const [status] = (await once(child, "close")) as [number | null];
  expect(status, `${command}: ${said.stderr}`).toBe(0);
  return said.stdout;
}

it("the files that operations.md names are there", () => {
  const named = commands.flatMap((command) => command.match(/\bdeploy\/[\w./-]+/g) ?? []);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((path) => !existsSync(pathInRoot(path)))).toEqual([]);
});
