import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { findRuntimes } from "./find-runtimes.js";
import type { RuntimeUnderTest } from "./find-runtimes.js";
import { openProject } from "./open-project.js";
import type { Project } from "./open-project.js";

const tsx = createRequire(import.meta.url).resolve("tsx/cli");

const agent = `
  import { connect } from "@parley/a2a/client";
  import { serve } from "@parley/a2a/node";
  import { agent } from "@parley/a2a/server";

  const echo = agent({
    name: "Echo",
    description: "Says what you say",
    run: ({ text }) => \`You said: \${text}\`,
  });

  async function main(): Promise<void> {
    const server = await serve(echo, { port: 0, grpc: { port: 0, inCard: true } });
    const remote = await connect(server.url);
    console.log(await remote.text("hi"));
    await server.close();
  }

  void main();`;

const entries = Object.keys(manifest.exports).filter((name) => !name.endsWith(".json"));

const everyEntry = `
  for (const entry of ${JSON.stringify(entries)}) {
    const names = Object.keys(require("@parley/a2a" + entry.slice(1)));
    if (names.length > 0) console.log(entry);
  }`;

let project: Project;

beforeAll(async () => {
  project = await openProject({
    // As `npm init --yes` wrote it for many years: without a type.
    "package.json": JSON.stringify({ name: "before-modules", version: "1.0.0" }),
    "agent.ts": agent,
    "every-entry.cjs": everyEntry,
    "every-entry.ts": everyEntry,
  });
});

afterAll(() => project[Symbol.asyncDispose]());

/** Runs a script in the project; answers what it has printed, once its process has ended by itself. */
async function run(node: string, ...args: readonly string[]): Promise<string> {
  const options = { cwd: project.folder, timeout: 120_000 };
  const { stdout } = await promisify(execFile)(node, args, options);
  return stdout;
}

const here = { name: "this node", version: process.versions.node, isThere: true };
const nodes: readonly Pick<RuntimeUnderTest, "name" | "version" | "command" | "isThere">[] = [
  { ...here, command: [process.execPath] },
  ...findRuntimes().filter(({ name }) => name.startsWith("node")),
];

describe.each(nodes)(
  "a project without modules, on $name $version,",
  ({ command: [node], isThere }) => {
    it.skipIf(!isThere)("serves and calls an agent under tsx", async () => {
      expect(await run(node, tsx, "agent.ts")).toBe("You said: hi\n");
    });

    it.skipIf(!isThere)("requires every entry", async () => {
      expect(await run(node, "every-entry.cjs")).toBe(`${entries.join("\n")}\n`);
    });
  },
);

it("a project without modules requires every entry under tsx", async () => {
  expect(await run(process.execPath, tsx, "every-entry.ts")).toBe(`${entries.join("\n")}\n`);
});
