import { execFile } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { parley } from "./parley.js";
import { openScriptedAgent, taskIn } from "./scripted-agent.js";

interface Loaded {
  /** The files that node loads, by their URLs. */
  readonly files: readonly string[];
  /** The sources that the files of our packages are made of. */
  readonly sources: readonly string[];
}

/** What a program loads that is run with some more environment. */
async function loadedBy(run: (env: Record<string, string>) => Promise<unknown>): Promise<Loaded> {
  const folder = await mkdtemp(join(tmpdir(), "parley-modules-"));
  const list = join(folder, "modules.txt");
  const hooks =
    'import { appendFileSync } from "node:fs";\n' +
    `export async function load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + "\\n"); return next(url, context); }`;
  await writeFile(join(folder, "hooks.mjs"), hooks);
  const register = `import { register } from "node:module"; register("./hooks.mjs", import.meta.url);`;
  await writeFile(join(folder, "register.mjs"), register);
  await run({ NODE_OPTIONS: `--import ${pathToFileURL(join(folder, "register.mjs")).href}` });
  const urls = (await readFile(list, "utf8")).trim().split("\n");
  const files = urls.filter((url) => url.startsWith("file:"));
  const ours = files.filter((url) => /\/packages\/(?:a2a|cli)\/dist\//.test(url));
  return { files, sources: (await Promise.all(ours.map(sourcesOf))).flat() };
}

async function sourcesOf(url: string): Promise<readonly string[]> {
  const map = JSON.parse(await readFile(fileURLToPath(`${url}.map`), "utf8")) as {
    readonly sources: readonly string[];
  };
  return map.sources.map((source) => new URL(source, url).pathname);
}

async function loadedByCommand(...args: readonly string[]): Promise<Loaded> {
  return loadedBy(async (env) => {
    const ran = await parley(args, { env });
    expect(ran.code, ran.stderr).toBe(0);
  });
}

it("the version is shown by a handful of files, without the library", async () => {
  const { files, sources } = await loadedByCommand("--version");
  expect(files.length).toBeLessThan(8);
  expect([...files, ...sources].filter((url) => /\/packages\/a2a\//.test(url))).toEqual([]);
});

it("a message is sent with few files, without servers, stores and packages", async () => {
  await using agent = await openScriptedAgent({ answer: () => ({ task: taskIn("COMPLETED") }) });
  const { files, sources } = await loadedByCommand("send", "-a", agent.url, "hi");
  expect(files.length).toBeLessThan(45);
  expect(files.filter((url) => url.includes("/node_modules/"))).toEqual([]);
  const needless = /\/a2a\/src\/(?:node|grpc|store|bus|postgres|auth|server\/(?!author))\//;
  expect(sources.filter((source) => needless.test(source))).toEqual([]);
  expect(sources.some((source) => source.endsWith("/a2a/src/client/connect.ts"))).toBe(true);
});

it("a server starts with few files, without gRPC, other stores and packages but SQLite", async () => {
  const program = `
    import { agent } from "@parley/a2a";
    import { serve } from "@parley/a2a/node";
    const echo = agent({ name: "Echo", description: "Repeats", run: ({ text }) => text });
    const server = await serve(echo, { port: 0, store: process.argv[1] });
    await server.close();`;
  const store = join(await mkdtemp(join(tmpdir(), "parley-start-")), "tasks.db");
  const { files, sources } = await loadedBy((env) =>
    promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program, store], {
      cwd: fileURLToPath(new URL("../../", import.meta.url)),
      env: { ...process.env, ...env },
    }),
  );
  expect(files.length).toBeLessThan(60);
  expect(files.filter((url) => /\/node_modules\/(?!libsql\/)/.test(url))).toEqual([]);
  const needless =
    /\/a2a\/src\/(?:grpc|postgres|store\/(?:memory|postgres)|bus\/(?:nats|postgres))\//;
  expect(sources.filter((source) => needless.test(source))).toEqual([]);
  expect(sources.some((source) => source.endsWith("/a2a/src/server/runtime.ts"))).toBe(true);
});
