import { cp, mkdtemp, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { findPostgres } from "./find-programs.js";
import type { PostgresVersion } from "./find-programs.js";
import { serverUser } from "./start-dependent.js";

/** The folder of PostgreSQL's programs, ready to be started by the user that servers run as. */
export async function openBinaries(version: PostgresVersion): Promise<string> {
  const path = resolve(findPostgres(version).path);
  if (version === 15) return path;
  const native = dirname(path);
  const usable = (await isOpenToAll(native)) ? native : await copyOnce(native);
  await linkLibraries(usable);
  return join(usable, "bin");
}

/** Another user than root reaches a folder only when nobody closed a folder above it. */
async function isOpenToAll(path: string): Promise<boolean> {
  if (serverUser.uid === undefined) return true;
  const { mode } = await stat(path);
  if ((mode & 0o005) !== 0o005) return false;
  return dirname(path) === path || isOpenToAll(dirname(path));
}

/** The copy stays for later tests: it is as large as PostgreSQL. */
async function copyOnce(native: string): Promise<string> {
  const manifest = await readFile(join(native, "../package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const copy = join(tmpdir(), `parley-postgres-${version}`);
  if (await stat(copy).catch(() => undefined)) return copy;
  const draft = await mkdtemp(`${copy}-`);
  await cp(native, join(draft, "native"), { recursive: true, verbatimSymlinks: true });
  await rename(join(draft, "native"), copy).catch(() => undefined);
  await rm(draft, { recursive: true, force: true });
  return copy;
}

/** npm packages hold no links, and npm does not run the script of this one that makes them. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8");
  const links = JSON.parse(list) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    await symlink(basename(source), join(native, relative("native", target))).catch(
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      },
    );
  }
}
