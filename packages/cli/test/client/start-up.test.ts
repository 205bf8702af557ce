import { execFile } from "node:child_process";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
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

/** A file that only exports what others have is made of none, and has no map. */
async function sourcesOf(url: string): Promise<readonly string[]> {
  const text = await readFile(fileURLToPath(`${url}.map`), "utf8").catch(() => '{"sources":[]}');
  const map = JSON.parse(text) as {
    readonly sources: readonly string[];
  };
  return map.sources.map((source) => new URL(source, url).pathname);
}

/** The modules of node's own that a command loads, beyond those of an empty program. */
async function builtinsOf(...args: readonly string[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "parley-builtins-"));
  const list = join(folder, "builtins.txt");
  const preload = join(folder, "preload.mjs");
  await writeFile(
    preload,
    'import { writeFileSync } from "node:fs";\n' +
      `process.once("exit", () => writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join("\\n")));`,
  );
  const env = { NODE_OPTIONS: `--import ${pathToFileURL(preload).href}` };
  const read = async (): Promise<readonly string[]> => (await readFile(list, "utf8")).split("\n");
  await promisify(execFile)(process.execPath, ["--eval", "0"], { env: { ...process.env, ...env } });
  const empty = new Set(await read());
  const ran = await parley(args, { env });
  expect(ran.code, ran.stderr).toBe(0);
  return (await read()).filter((name) => !empty.has(name));
}

async function loadedByCommand(...args: readonly string[]): Promise<Loaded> {
  return loadedBy(async (env) => {
    const ran = await parley(args, { env });
    expect(ran.code, ran.stderr).toBe(0);
  });
}

/** The least processor time of programs that are run in turns, in milliseconds. A busy machine makes it longer, never shorter. */
async function processorTimes(
  programs: Readonly<Record<string, readonly string[]>>,
): Promise<Readonly<Record<string, number>>> {
  const least: Record<string, number> = {};
  for (let round = 0; round < 6; round += 1) {
    for (const [name, args] of Object.entries(programs)) {
      const script = '"$@" > /dev/null || exit; times';
      const words = ["-c", script, "sh", process.execPath, ...args];
      const { stdout } = await promisify(execFile)("sh", words);
      const [, ofChildren = ""] = stdout.trim().split("\n");
      const times = Array.from(ofChildren.matchAll(/(\d+)m([\d.]+)s/g), ([, minutes, seconds]) =>
        Math.round((Number(minutes) * 60 + Number(seconds)) * 1000),
      );
      least[name] = Math.min(least[name] ?? Infinity, (times[0] ?? 0) + (times[1] ?? 0));
    }
  }
  return least;
}

it.skipIf(process.platform === "win32")(
  "the version takes little more than bare node, and a message less than three times as much",
  async () => {
    await using agent = await openScriptedAgent({ answer: () => ({ task: taskIn("COMPLETED") }) });
    const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
    const {
      bare = 0,
      version,
      send,
    } = await processorTimes({
      bare: ["--eval", "0"],
      version: [main, "--version"],
      send: [main, "send", "hi", "-a", agent.url],
    });
    expect(bare).toBeGreaterThan(0);
    expect((version ?? 0) / bare).toBeLessThan(1.6);
    expect((send ?? 0) / bare).toBeLessThan(2.75);
  },
);

it("the version is shown by a handful of files, without the library", async () => {
  const { files, sources } = await loadedByCommand("--version");
  expect(files.length).toBeLessThan(5);
  expect([...files, ...sources].filter((url) => /\/packages\/a2a\//.test(url))).toEqual([]);
});

it("a message is sent with few files, without servers, stores and packages", async () => {
  await using agent = await openScriptedAgent({ answer: () => ({ task: taskIn("COMPLETED") }) });
  const { files, sources } = await loadedByCommand("send", "-a", agent.url, "hi");
  expect(files.length).toBeLessThan(15);
  const sizes = await Promise.all(files.map(async (url) => (await stat(fileURLToPath(url))).size));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(310_000);
  expect(files.filter((url) => url.includes("/node_modules/"))).toEqual([]);
  const needless = /\/a2a\/src\/(?:node|grpc|store|bus|postgres|auth|server\/(?!author))\//;
  expect(sources.filter((source) => needless.test(source))).toEqual([]);
  expect(sources.some((source) => source.endsWith("/a2a/src/client/connect.ts"))).toBe(true);
});

it.each([
  ["a message", ["hi"]],
  ["a message with a token", ["hi", "--bearer", "secret", "--svc-param", "X-Trace:1"]],
  ["a message, and streams the answer", ["hi", "--stream"]],
])("%s is sent without node's fetch and what comes with it", async (_, args) => {
  await using agent = await openScriptedAgent({ answer: () => ({ task: taskIn("COMPLETED") }) });
  const builtins = await builtinsOf("send", "-a", agent.url, ...args);
  expect(builtins).toContain("NativeModule http");
  const needless = /undici|http2|tls|zlib|child_process|worker_threads/;
  expect(builtins.filter((name) => needless.test(name))).toEqual([]);
  expect(builtins.length).toBeLessThan(62);
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
  expect(files.length).toBeLessThan(30);
  expect(files.filter((url) => /\/node_modules\/(?!libsql\/)/.test(url))).toEqual([]);
  const needless =
    /\/a2a\/src\/(?:grpc|postgres|store\/(?:memory|postgres)|bus\/(?:nats|postgres))\//;
  expect(sources.filter((source) => needless.test(source))).toEqual([]);
  expect(sources.some((source) => source.endsWith("/a2a/src/server/runtime.ts"))).toBe(true);
});
