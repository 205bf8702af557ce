import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** A user's project, in a folder of its own. */
export interface Project extends AsyncDisposable {
  readonly folder: string;
}

/**
 * A project that has installed the library as npm packs it. It finds the packages that the library declares, and no
 * others.
 */
export async function openProject(files: Readonly<Record<string, string>>): Promise<Project> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "parley-project-")));
  const library = join(folder, "node_modules/@parley/a2a");
  await mkdir(library, { recursive: true });
  const tarball = pack(folder);
  run("tar", ["-xzf", tarball, "-C", library, "--strip-components=1"], folder);
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  for (const name of Object.keys({
    ...dependencies,
    ...optionalDependencies,
    ...peerDependencies,
  })) {
    const link = join(folder, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, "node_modules", name), link);
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return {
    folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Packs what is compiled; answers where the tarball is. */
function pack(folder: string): string {
  const args = ["pack", "--ignore-scripts", "--offline", "--json", "--pack-destination", folder];
  const packed = run("npm", args, join(root, "packages/a2a"));
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  return join(folder, filename);
}

function run(program: string, args: readonly string[], cwd: string): string {
  // What an npm that runs the tests says of itself is not for this one.
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const env = Object.fromEntries(own);
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8", env });
  expect(status, stderr).toBe(0);
  return stdout;
}
