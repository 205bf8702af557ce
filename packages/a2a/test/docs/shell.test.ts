import { spawn, spawnSync } from "node:child_process";
import type { SpawnOptionsWithoutStdio } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect } from "@parley/a2a";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import packageManifest from "../../package.json" with { type: "json" };
import manifest from "../../../../package.json" with { type: "json" };
import { openFolder } from "../support/files/open-folder.js";
import type { Folder } from "../support/files/open-folder.js";
import { blocksOf, modulesOf, pages, pathInRoot } from "./page.js";

/** Commands that these tests cannot run, and why. */
const notRun: Readonly<Record<string, string>> = {
  "npm ci": "it replaces the packages that the tests run with; .ci/run begins with it",
  "npm run build": "it writes what other tests run at this moment; `npm test` begins with it",
  "npm run fuzz": "it builds, too, and takes a minute; .ci/run ends with it",
  "npm run chaos": "it takes ten minutes; test/cluster has three of its rows",
  "npm run simulate": "it builds, too; test/simulation runs its seeds",
  "npm run test:quick": "it is these tests",
  "npm test": "it is these tests",
  "npm run check": "it runs these tests",
  "npm pack --workspace packages/a2a": "see the test of the packed file",
  "cd ../your-project": "see the test of the packed file",
  [`npm install ../parley/parley-a2a-${packageManifest.version}.tgz`]:
    "see the test of the packed file",
};

/** Pages whose commands need a database, a server or each other, and what runs them. */
const runElsewhere: Readonly<Record<string, string>> = {
  "docs/cli.md": "cli.test.ts",
  "docs/observability.md": "observability.test.ts",
  "docs/operations.md": "operations.test.ts",
  "docs/doctor.md": "packages/cli/test/doctor/page.test.ts",
  "docs/serve.md": "serve.test.ts",
};
const isRunElsewhere = (page: string): boolean => runElsewhere[page] !== undefined;

/** The commands of the pages' shell blocks, without comments. */
const commands = pages()
  .filter((page) => !isRunElsewhere(page))
  .flatMap((page) =>
    blocksOf(page)
      .filter(({ language }) => language === "sh")
      .flatMap(({ code }) => code.replace(/\|\n\s*/g, "| ").split("\n"))
      .map((line) => line.replace(/(?:^| +)#.*$/, "").trim())
      .filter((line) => line !== "")
      .flatMap((line) => (line.startsWith("echo ") ? [line] : line.split(" && ")))
      .map((command) => ({ page, command })),
  );

/** Variables for commands of the pages: `parley` is the command, and its servers take free ports. */
async function environment(folder: Folder): Promise<NodeJS.ProcessEnv> {
  const reroute = new URL("reroute.mjs", import.meta.url).href;
  const main = pathInRoot("packages/cli/dist/main.js");
  const script = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`;
  await writeFile(folder.file("parley"), script, { mode: 0o755 });
  // What an npm that runs the tests says of itself is not for another one.
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return {
    ...Object.fromEntries(inherited),
    PATH: `${folder.path}:${process.env["PATH"]}`,
    NODE_OPTIONS: `--import ${reroute}`,
  };
}

/** How a server says where it is: an agent's, and an inspector's. */
const announcements = {
  agent: { isReady: /^Card: \S+$[^]*curl /m, url: /^Card: (\S+)$/m },
  inspector: { isReady: /^Inspector: \S+$/m, url: /^Inspector: (\S+)$/m },
};

/** Runs a server until it has said where it is, asks for its card or page, and stops it. */
async function runServer(
  command: string,
  options: SpawnOptionsWithoutStdio,
  announced: (typeof announcements)["agent"],
): Promise<void> {
  // A group of its own, so that what npm starts stops with it.
  const child = spawn("sh", ["-c", command], { ...options, detached: true });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  }
  const exited = once(child, "close");
  try {
    const isReady = (): boolean => {
      if (child.exitCode !== null) expect.fail(said);
      return announced.isReady.test(said);
    };
    await expect.poll(isReady).toBe(true);
    const [, url = ""] = announced.url.exec(said) ?? [];
    expect((await fetch(url)).status).toBe(200);
  } finally {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), "SIGTERM");
    await exited;
  }
}

/** The packages that a command would fetch from a registry. */
const fetchedBy = (command: string): readonly string[] =>
  /^npm install (?!\.)/.test(command)
    ? command.split(" ").filter((word, index) => index > 1 && !word.startsWith("--"))
    : [];

const isRun = (command: string): boolean =>
  notRun[command] === undefined && fetchedBy(command).length === 0;

describe.each(commands.filter(({ command }) => isRun(command)))("$page", ({ page, command }) => {
  it(`${command} does what it says`, async () => {
    await using folder = await openFolder();
    const env = await environment(folder);
    await writeFile(folder.file("request.json"), JSON.stringify(request));
    const cwd = page.startsWith("packages/") ? folder.path : pathInRoot(".");
    if (/^(?:npm start|parley serve)/.test(command)) {
      const store = command === "npm start" ? ` -- --store ${folder.file()}` : "";
      await runServer(`${command}${store}`, { cwd, env }, announcements.agent);
      return;
    }
    if (command.startsWith("parley inspect")) {
      await (await openSqliteStore({ path: folder.file(".parley/parley.db") })).close();
      await writeFile(folder.file("saved.parley.jsonl"), `${JSON.stringify(recording)}\n`);
      await runServer(command, { cwd, env }, announcements.inspector);
      return;
    }
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
      cwd,
      env,
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(command.includes("translate") ? /message\/send|SendMessage/ : /serve/);
  });
});

const recording = { kind: "recording", format: 1, version: "0.1.0", savedAt: 0 };

const request = {
  jsonrpc: "2.0",
  id: 1,
  method: "message/send",
  params: { message: { role: "user", messageId: "m", parts: [{ kind: "text", text: "hi" }] } },
};

it("pages name no script of npm that there is not", () => {
  const scripts: Readonly<Record<string, string>> = manifest.scripts;
  const named = commands.flatMap(({ command }) => /^npm run (\S+)/.exec(command)?.[1] ?? []);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

it("pages install what the tests of their code run with", () => {
  const known = Object.keys(manifest.devDependencies);
  const fetched = commands.flatMap(({ command }) => fetchedBy(command));
  expect(fetched.length).toBeGreaterThan(0);
  expect(fetched.filter((name) => !known.includes(name))).toEqual([]);
});

it("no command is excused that no page has", () => {
  const known = commands.map(({ command }) => command);
  expect(Object.keys(notRun).filter((command) => !known.includes(command))).toEqual([]);
});

it("the packed file, installed in a project as the README says, runs its agent", async () => {
  await using folder = await openFolder();
  const env = await environment(folder);
  const run = (command: string, cwd: string): void => {
    const { status, stderr, stdout } = spawnSync("sh", ["-c", command], {
      cwd,
      env,
      encoding: "utf8",
      timeout: 120_000,
    });
    expect(status, `${command}: ${stdout}${stderr}`).toBe(0);
  };
  // The tests have compiled the package already.
  const pack = "npm pack --workspace packages/a2a --ignore-scripts --pack-destination";
  run(`${pack} ${folder.path}`, pathInRoot("."));
  const packed = `parley-a2a-${packageManifest.version}.tgz`;
  expect(await readdir(folder.path)).toContain(packed);
  const project = folder.file("your-project");
  const modules = join(project, "node_modules");
  await mkdir(join(modules, "@parley/a2a"), { recursive: true });
  // `npm install` would ask a registry for what the package needs; the repository has it.
  run(
    `tar -xzf ${packed} --strip-components 1 -C your-project/node_modules/@parley/a2a`,
    folder.path,
  );
  const needed = [
    ...Object.keys(packageManifest.dependencies),
    "libsql",
    "@types",
    "typescript",
    ".bin",
  ];
  for (const name of needed) {
    await symlink(pathInRoot(`node_modules/${name}`), join(modules, name));
  }
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module" }));
  const options = { module: "nodenext", types: ["node"], strict: true };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
  await writeFile(join(project, "echo.ts"), modulesOf("README.md").get("echo") ?? "");
  run("npx tsc", project);
  const child = spawn(process.execPath, ["echo.js"], { cwd: project, env });
  try {
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    await expect.poll(() => said).toMatch(/http:\S+/);
    const agent = await connect(/http:\S+/.exec(said)?.[0] ?? "");
    expect(await agent.text("hi")).toBe("You said: hi");
  } finally {
    child.kill();
    await once(child, "close");
  }
});
