/** The primary result codes of SQLite that say something about the file. */
const names: Readonly<Record<number, string>> = {
  5: "BUSY",
  6: "LOCKED",
  8: "READONLY",
  10: "IOERR",
  11: "CORRUPT",
  13: "FULL",
  14: "CANTOPEN",
  26: "NOTADB",
};

/** What is wrong with a file, and what to do about it, in plain words. */
export interface FileProblem {
  /** Without the path, so that anybody may read it. */
  readonly what: string;
  readonly advice: string;
  /** Another path helps, too. */
  readonly isOfPlace?: boolean;
}

const locked = {
  what: "another program has locked it",
  advice: "stop that program",
  isOfPlace: true,
};
const notAllowed = {
  what: "this user may not write there",
  advice: "allow it to write to the file and to its folder",
  isOfPlace: true,
};
const full = { what: "the disk is full", advice: "free some space" };
const faulty = { what: "the disk does not read or write it", advice: "see what the system says" };
const backup = "restore a backup, or move it away to begin with an empty store";

const problems: Readonly<Record<string, FileProblem>> = {
  BUSY: locked,
  LOCKED: locked,
  READONLY: notAllowed,
  CANTOPEN: notAllowed,
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: notAllowed,
  FULL: full,
  ENOSPC: full,
  EDQUOT: full,
  IOERR: faulty,
  EIO: faulty,
  EFBIG: { what: "it may not become larger", advice: "raise the limit on the sizes of files" },
  CORRUPT: { what: "it is damaged", advice: backup },
  NOTADB: { what: "it is not a SQLite database", advice: backup },
};

/** What an error says about the file; `undefined` when it says nothing. */
export function problemOf(cause: unknown): FileProblem | undefined {
  const code = codeOf(cause);
  return Object.hasOwn(problems, code) ? problems[code] : undefined;
}

/** The code of an error without `SQLITE_`. Each driver puts it elsewhere; `libsql` sometimes into the message only. */
export function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  const { code, errcode, rawCode, message } = cause as Error &
    Record<"code" | "errcode" | "rawCode", unknown>;
  const [, number] = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(message) ?? [];
  const primary = Number(errcode ?? rawCode ?? number) & 0xff;
  const [, name] = /^SQLITE_([A-Z]+)/.exec(String(code)) ?? [];
  return names[primary] ?? name ?? String(code ?? "");
}
