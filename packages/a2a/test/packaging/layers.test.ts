import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import layersTable from "../../layers.json" with { type: "json" };

const root = fileURLToPath(new URL("../../../../", import.meta.url));

interface Layer {
  readonly imports: readonly string[];
  readonly runtime?: "node";
  readonly nodeFolders?: readonly string[];
}

const table: Readonly<Record<string, Layer>> = layersTable as Record<string, Layer>;
const layers = Object.keys(table);
const mayImport = (layer: string): readonly string[] => table[layer]?.imports ?? [];

/** Where node's own modules may be imported. */
const nodePlaces = new Set(
  Object.entries(table).flatMap(([name, { runtime, nodeFolders = [] }]) => [
    ...(runtime === "node" ? [name] : []),
    ...nodeFolders.map((folder) => `${name}/${folder}`),
  ]),
);

/** A copy of the configuration, to plant files in; removed when it goes out of scope. */
async function openSandbox() {
  const path = await realpath(await mkdtemp(join(tmpdir(), "parley-layers-")));
  for (const name of [
    ".oxlintrc.json",
    ".oxlintrc.layers.json",
    "tsconfig.base.json",
    "package.json",
  ]) {
    await cp(join(root, name), join(path, name));
  }
  await symlink(join(root, "node_modules"), join(path, "node_modules"));
  return {
    async copy(folder: string): Promise<void> {
      await cp(join(root, folder), join(path, folder), { recursive: true });
    },
    async plant(file: string, lines: readonly string[]): Promise<void> {
      const target = join(path, "packages/a2a/src", file);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, `${lines.join("\n")}\n`);
    },
    run(tool: "oxlint" | "tsc", ...args: string[]): { failed: boolean; stdout: string } {
      const bin = join(root, "node_modules/.bin", tool);
      const { status, stdout } = spawnSync(bin, args, { cwd: path, encoding: "utf8" });
      return { failed: status !== 0, stdout };
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await rm(path, { recursive: true });
    },
  };
}

type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

interface Refusal {
  readonly file: string;
  readonly specifier: string;
  readonly sentence: string;
}

function refusedImports(sandbox: Sandbox): Refusal[] {
  const { stdout } = sandbox.run("oxlint", "--format=json", "packages");
  const report = JSON.parse(stdout) as {
    diagnostics: { code: string; message: string; filename: string; help: string }[];
  };
  return report.diagnostics
    .filter(({ code }) => code === "eslint(no-restricted-imports)")
    .map(({ filename, message, help }) => ({
      file: filename.replace("packages/a2a/src/", ""),
      specifier: message.split("'")[1] ?? "",
      sentence: help,
    }));
}

const importLine = (specifier: string) => `export * from "${specifier}";`;

test("the linter refuses every edge between folders that the table does not have", async () => {
  await using sandbox = await openSandbox();
  const forbidden: string[] = [];
  for (const layer of layers) {
    const others = layers.filter((other) => other !== layer);
    await sandbox.plant(
      `${layer}/plant.ts`,
      others.map((other) => importLine(`../${other}/internal.js`)),
    );
    const allowed = mayImport(layer);
    const refused = others.filter((other) => !allowed.includes(other));
    forbidden.push(...refused.map((other) => `${layer}/plant.ts ../${other}/internal.js`));
  }
  const refusals = refusedImports(sandbox);
  const found = refusals.map(({ file, specifier }) => `${file} ${specifier}`);
  expect(found.toSorted()).toEqual(forbidden.toSorted());
  for (const { file, sentence } of refusals) {
    const layer = layers.find((name) => file.startsWith(`${name}/`));
    expect(sentence).toMatch(new RegExp(`^${layer}/ may import only: .+\\.`));
  }
});

test("the linter refuses to reach past another layer's internal.js, and to import the library by name", async () => {
  await using sandbox = await openSandbox();
  const expected: string[] = [];
  for (const layer of layers) {
    const specifiers = [...mayImport(layer).map((other) => `../${other}/deep.js`), "@parley/a2a"];
    await sandbox.plant(`${layer}/plant.ts`, [...specifiers, "./own.js"].map(importLine));
    expected.push(...specifiers.map((specifier) => `${layer}/plant.ts ${specifier}`));
  }
  const found = refusedImports(sandbox).map(({ file, specifier }) => `${file} ${specifier}`);
  expect(found.toSorted()).toEqual(expected.toSorted());
});

test("the linter keeps node's modules and foreign packages where they belong", async () => {
  await using sandbox = await openSandbox();
  const places = [...new Set([...layers, ...nodePlaces])];
  const expected: string[] = [];
  for (const place of places) {
    await sandbox.plant(`${place}/plant.ts`, [importLine("node:fs")]);
    if (!nodePlaces.has(place)) expected.push(`${place}/plant.ts node:fs`);
  }
  await sandbox.plant("protocol/packages.ts", [importLine("jose"), importLine("zod/mini")]);
  expected.push("protocol/packages.ts jose", "protocol/packages.ts zod/mini");
  await sandbox.plant("wire/v1.0/packages.ts", [
    ...["jose", "../own.js", "../../protocol/internal.js"].map(importLine),
    importLine("zod"),
  ]);
  expected.push("wire/v1.0/packages.ts zod");
  const found = refusedImports(sandbox).map(({ file, specifier }) => `${file} ${specifier}`);
  expect(found.toSorted()).toEqual(expected.toSorted());
});

// The compiler has compiled them before any test runs.
test("the sources as they are pass the linter", async () => {
  await using sandbox = await openSandbox();
  await sandbox.copy("packages/a2a/src");
  expect(refusedImports(sandbox)).toEqual([]);
});

test("the compiler refuses an edge against the arrows, and node's globals and modules in a web folder", async () => {
  await using sandbox = await openSandbox();
  await sandbox.copy("packages/a2a/src/protocol/tsconfig.json");
  await sandbox.plant("wire/internal.ts", ["export const planted = true;"]);
  await sandbox.plant("protocol/edge.ts", [importLine("../wire/internal.js")]);
  await sandbox.plant("protocol/global.ts", ["export const pid: number = process.pid;"]);
  await sandbox.plant("protocol/module.ts", [importLine("node:fs")]);
  const { failed, stdout } = sandbox.run("tsc", "-b", "packages/a2a/src/protocol");
  expect(failed).toBe(true);
  expect(stdout).toMatch(/edge\.ts\(1,\d+\): error TS6307: .*wire.internal\.ts' is not listed/);
  expect(stdout).toMatch(/global\.ts\(1,\d+\): error TS2591: Cannot find name 'process'/);
  expect(stdout).toMatch(/module\.ts\(1,\d+\): error TS2591: Cannot find name 'node:fs'/);
});

test("what repeats the table of layers is generated from it", () => {
  const script = join(root, "packages/a2a/scripts/layers.mjs");
  const { status, stderr } = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
