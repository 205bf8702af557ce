import * as fs from "node:fs/promises";
import type { Stats } from "node:fs";
import { dirname, join } from "node:path";

const otherPath = "choose another path";

/**
 * The numbers by which Linux names file systems that show the state of the system and keep nothing: proc, sysfs,
 * cgroup, cgroup2, debugfs, tracefs, securityfs, configfs, devpts, pstore, bpf, efivarfs, mqueue, binfmt_misc.
 */
const stateOfSystem: ReadonlySet<number> = new Set([
  0x9fa0, 0x62656572, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673, 0x62656570, 0x1cd1,
  0x6165676c, 0xcafe4a11, 0xde5e81e4, 0x19800202, 0x42494e4d,
]);

/**
 * What is wrong with a path, in plain words and with advice: drivers do not say it, and some wait for ever for a folder
 * that cannot be made, or take a device for a file.
 */
export async function findPlaceProblem(path: string): Promise<string | undefined> {
  const there = await look(path);
  if (there?.isDirectory() === true) {
    return `it is a folder; choose a file in it, such as ${join(path, "parley.db")}`;
  }
  if (there?.isFile() === false) return `it is a device or a pipe, not a file; ${otherPath}`;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = await look(folder);
    if (found?.isDirectory() === false) return `${folder} is a file, not a folder; ${otherPath}`;
    if (found !== undefined) return (await keepsNothing(folder)) ? ofSystem(folder) : undefined;
    if (folder === dirname(folder)) return undefined;
  }
}

function ofSystem(folder: string): string {
  return `${folder} shows the state of the system and keeps no files; ${otherPath}`;
}

/** Undefined where there is nothing, or nothing that this user may see. */
function look(path: string): Promise<Stats | undefined> {
  return fs.stat(path).catch(() => undefined);
}

async function keepsNothing(folder: string): Promise<boolean> {
  // Not every runtime has it.
  const statfs = "statfs" in fs ? fs.statfs : undefined;
  const found = await statfs?.(folder).catch(() => undefined);
  return found !== undefined && stateOfSystem.has(found.type);
}
