import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const source = join(root, "packages/a2a/src");

/** The files of `wire` that may name version folders: the first for servers, the others for clients. */
const registration = [
  "wire/codecs.ts",
  "wire/earlier-peer-codecs.ts",
  "wire/peer-card-decoders.ts",
  "wire/peer-codecs.ts",
];

const versions = (await readdir(join(source, "wire"))).filter((name) => /^v\d/.test(name));

/** A copy of `wire` and of what it is built on, with a compiler; removed when it goes out of scope. */
async function openSandbox() {
  const path = await realpath(await mkdtemp(join(tmpdir(), "parley-versions-")));
  await cp(join(root, "tsconfig.base.json"), join(path, "tsconfig.base.json"));
  await cp(join(root, "packages/a2a/package.json"), join(path, "package.json"));
  await symlink(join(root, "node_modules"), join(path, "node_modules"));
  for (const layer of ["options", "protocol", "wire"]) {
    await cp(join(source, layer), join(path, layer), {
      recursive: true,
      filter: (file) => !/\.test(?:-d)?\.ts$|tsconfig\.json$/.test(file),
    });
  }
  const compilerOptions = {
    rootDir: ".",
    composite: false,
    declarationMap: false,
    isolatedDeclarations: false,
    noEmit: true,
    // Only what the sources complain about is looked at here.
    skipLibCheck: true,
  };
  const config = {
    extends: "./tsconfig.base.json",
    compilerOptions,
    include: ["protocol", "wire"],
  };
  await writeFile(join(path, "tsconfig.json"), JSON.stringify(config));
  return {
    path,
    /** What the compiler complains about, as `file: code`. */
    complaints(): readonly string[] {
      const bin = join(root, "node_modules/.bin/tsc");
      const args = ["-p", ".", "--pretty", "false"];
      const { stdout } = spawnSync(bin, args, { cwd: path, encoding: "utf8" });
      return stdout
        .split("\n")
        .filter((line) => line.includes(": error "))
        .map((line) => {
          const [, file = "", code = line] = /^(.+?)\(\d+,\d+\): error (TS\d+)/.exec(line) ?? [];
          return `${file}: ${code}`;
        });
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await rm(path, { recursive: true });
    },
  };
}

const missingModule = "TS2307";

test("there are versions to look at, and all is well as long as they are there", async () => {
  await using sandbox = await openSandbox();
  expect(versions.toSorted()).toEqual(["v0.1", "v0.3", "v0.3-proto", "v1.0"]);
  expect(sandbox.complaints()).toEqual([]);
});

test.each(versions)(
  "only the registration misses %s when its folder is deleted",
  async (version) => {
    await using sandbox = await openSandbox();
    await rm(join(sandbox.path, "wire", version), { recursive: true });
    const complaints = new Set(sandbox.complaints());
    expect(complaints).toContain(`wire/codecs.ts: ${missingModule}`);
    const expected = new Set(registration.map((file) => `${file}: ${missingModule}`));
    expect([...complaints].filter((complaint) => !expected.has(complaint))).toEqual([]);
  },
);

test("the check sees what else would miss a version", async () => {
  await using sandbox = await openSandbox();
  const line = 'export { encodePart } from "../v0.1/part.js";\n';
  for (const file of ["wire/v0.3/plant.ts", "wire/card/plant.ts"]) {
    await writeFile(join(sandbox.path, file), line);
  }
  await rm(join(sandbox.path, "wire/v0.1"), { recursive: true });
  expect(sandbox.complaints()).toEqual(
    expect.arrayContaining([
      `wire/card/plant.ts: ${missingModule}`,
      `wire/v0.3/plant.ts: ${missingModule}`,
    ]),
  );
});
