import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The primary result codes of SQLite that say something about the file. */
const names: Readonly<Record<number, string>> = {
  5: "BUSY",
  6: "LOCKED",
  8: "READONLY",
  11: "CORRUPT",
  13: "FULL",
  14: "CANTOPEN",
  26: "NOTADB",
};

const otherPath = "choose another path";
const notAllowed =
  "this user may not write there; allow it to write to the file and to its folder, " +
  `or ${otherPath}`;
const locked = `another program has locked it; stop that program, or ${otherPath}`;
const full = "the disk is full; free some space";
const reasons: Readonly<Record<string, string>> = {
  BUSY: locked,
  LOCKED: locked,
  READONLY: notAllowed,
  CANTOPEN: notAllowed,
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: notAllowed,
  FULL: full,
  ENOSPC: full,
  CORRUPT: "it is damaged; restore a backup, or move it away to begin with an empty store",
  NOTADB: `it is not a SQLite database; ${otherPath}`,
};

/** Says in plain words why a database cannot be opened, and what to do about it. */
export async function openingFailure(cause: unknown, path: string): Promise<string> {
  return `cannot open the store ${path}: ${(await placeProblem(path)) ?? reasonOf(cause)}`;
}

/** What is wrong with the path itself. Drivers do not say it. */
async function placeProblem(path: string): Promise<string | undefined> {
  if (await isFolder(path)) {
    return `it is a folder; choose a file in it, such as ${join(path, "parley.db")}`;
  }
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if ((await isFolder(folder)) === false)
      return `${folder} is a file, not a folder; ${otherPath}`;
  }
  return undefined;
}

/** Undefined where there is nothing, or nothing that this user may see. */
function isFolder(path: string): Promise<boolean | undefined> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => undefined,
  );
}

function reasonOf(cause: unknown): string {
  const code = codeOf(cause);
  const known = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  return known ?? (cause instanceof Error ? cause.message : String(cause));
}

/** The code of an error without `SQLITE_`. Each driver puts it elsewhere; `libsql` sometimes into the message only. */
function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  const { code, errcode, message } = cause as Error & Record<"code" | "errcode", unknown>;
  const [, number] = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(message) ?? [];
  const primary = Number(errcode ?? number) & 0xff;
  const [, name] = /^SQLITE_([A-Z]+)/.exec(String(code)) ?? [];
  return names[primary] ?? name ?? String(code);
}
