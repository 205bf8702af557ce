import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

const sources = ["package.json", "tsconfig.json", "tsconfig.base.json", "packages"];
/** Compiled with the packages. */
const others = ["bench", "examples"];

/** The repository as it was cloned and installed: nothing is compiled. */
let clone: string;

beforeAll(async () => {
  clone = await realpath(await mkdtemp(join(tmpdir(), "parley-tarball-")));
  const isSource = (path: string) => !["dist", "node_modules"].includes(basename(path));
  for (const name of [...sources, ...others]) {
    await cp(join(root, name), join(clone, name), { recursive: true, filter: isSource });
  }
  await symlink(join(root, "node_modules"), join(clone, "node_modules"));
});

afterAll(() => rm(clone, { recursive: true, force: true, maxRetries: 3 }));

/** What npm packs, by its path in the package. Compiles the packages before, unless that was done. */
function pack(folder: string, { isCompiled = false } = {}): readonly string[] {
  // What an npm that runs the tests says of itself is not for this one.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)),
  );
  const args = ["pack", "--dry-run", "--json", "--offline", `--ignore-scripts=${isCompiled}`];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8", env });
  expect(status, stderr).toBe(0);
  const [packed] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  return packed.files.map(({ path }) => path);
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** What a package has besides its code. */
const pages = ["LICENSE", "README.md", "package.json"];

describe.each([
  { name: "a2a", others: pages },
  { name: "cli", others: [...pages, "SKILL-EXAMPLES.md", "SKILL.md", "bin/parley.js"] },
])("what npm packs of $name, before anything is compiled,", ({ name, others }) => {
  let folder: string;
  let packed: readonly string[];

  beforeAll(() => {
    folder = join(clone, "packages", name);
    packed = pack(folder);
  });

  const read = (path: string): string => readFileSync(join(folder, path), "utf8");

  it("has all that the package exports and runs, and a page that says what it is", () => {
    const manifest = JSON.parse(read("package.json")) as Manifest;
    const targets = Object.values({ ...manifest.exports, ...manifest.bin });
    const wanted = targets
      .flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)))
      .map((path) => path.replace("./", ""));
    expect(packed).toEqual(expect.arrayContaining([...wanted, "README.md", "LICENSE"]));
  });

  it("has every source that its maps point to", () => {
    const maps = packed.filter((path) => path.endsWith(".map"));
    const named = maps.flatMap((path) => {
      const map = JSON.parse(read(path)) as { sources: string[] };
      return map.sources.map((source) => posix.join(dirname(path), source));
    });
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !packed.includes(path))).toEqual([]);
  });

  it("has no tests and nothing of the compiler's", () => {
    expect(packed.filter((path) => /\.test|tsconfig|\.tsbuildinfo$/.test(path))).toEqual([]);
    expect(packed.filter((path) => !/^(?:dist|src)\//.test(path)).toSorted()).toEqual(
      others.toSorted(),
    );
  });
});

describe("what npm packs, once it is installed with its dependencies and nothing else,", () => {
  let bin: string;

  beforeAll(async () => {
    const modules = join(clone, "installed", "node_modules");
    for (const name of ["a2a", "inspector", "cli"]) {
      const folder = join(clone, "packages", name);
      for (const path of pack(folder, { isCompiled: true })) {
        await cp(join(folder, path), join(modules, "@parley", name, path));
      }
      const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
      for (const dependency of Object.keys(manifest.dependencies ?? {})) {
        const place = join(modules, dependency);
        if (dependency.startsWith("@parley/") || existsSync(place)) continue;
        await mkdir(dirname(place), { recursive: true });
        await symlink(join(root, "node_modules", dependency), place);
      }
      if (manifest.bin !== undefined) {
        bin = join(modules, "@parley", name, manifest.bin["parley"] ?? "");
      }
    }
  });

  const parley = (...args: readonly string[]): Promise<string> =>
    promisify(execFile)(process.execPath, [bin, ...args]).then(({ stdout }) => stdout);

  it("runs as parley, and talks to an agent", async () => {
    expect(await parley("--version")).toMatch(/^parley \d/);
    const echo = agent({ name: "Echo", description: "Echoes", run: ({ text }) => text });
    await using server = await serve(echo, { port: 0, store: createMemoryStore() });
    expect(await parley("send", "hello there", "-a", server.url)).toContain("hello there");
    expect(await parley("doctor", server.url)).toContain("Echo");
  });

  it("serves an agent with its inspector, whose page is packed too", async () => {
    const place = ["--store", join(clone, "installed", "tasks.db"), "--port", "0"];
    const child = spawn(process.execPath, [bin, "serve", "--inspector", ...place]);
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece) => (said += piece));
    try {
      await expect.poll(() => said).toMatch(/http:\/\/\S+#code=/);
      const [link = ""] = /http:\/\/\S+#code=/.exec(said) ?? [];
      expect(await (await fetch(link.replace(/#.*/, ""))).text()).toContain("<script");
    } finally {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });
});
