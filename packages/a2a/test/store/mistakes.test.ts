import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import type { SqliteStoreOptions } from "@parley/a2a/store/sqlite";
import { openingFailure } from "../../src/store/sqlite/file/opening-failure.js";
import { openFolder } from "../support/files/open-folder.js";
import { openRaw } from "../support/files/open-raw.js";

const notAllowed =
  "this user may not write there; allow it to write to the file and to its folder, or choose another path";

describe("openSqliteStore() refuses", () => {
  it.each<[string, unknown, string]>([
    ["nothing", undefined, 'options is missing; expected an object such as { path: "tasks.db" }'],
    ["a path", "tasks.db", 'options is a string; expected an object such as { path: "tasks.db" }'],
    ["no path", {}, "path is missing; expected the path of a file"],
    ["a path that is a number", { path: 1 }, "path is 1; expected the path of a file"],
    [
      "a misspelt option",
      { path: "x", durabilty: "full" },
      "durabilty is unknown; did you mean durability?",
    ],
    [
      "another durability",
      { path: "x", durability: "none" },
      'durability is "none"; expected "full" or "process"',
    ],
    [
      "a clock that does not tell the time",
      { path: "x", clock: {} },
      "clock is an empty object; expected a clock with the method now",
    ],
    [
      "a wait that is none",
      { path: "x", busyTimeoutMs: -1 },
      "busyTimeoutMs is -1; expected a whole number of milliseconds from 0 to 2147483647 (24 days)",
    ],
  ])("%s", async (_, options, problem) => {
    await expect(openSqliteStore(options as SqliteStoreOptions)).rejects.toThrow(
      new Error(`openSqliteStore(): ${problem}`),
    );
  });
});

describe("a store cannot be opened, and says why and what to do,", () => {
  it("where its path is a folder", async () => {
    await using folder = await openFolder();
    await expect(openSqliteStore({ path: folder.path })).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: `cannot open the store ${folder.path}: it is a folder; choose a file in it, such as ${folder.file()}`,
    });
    expect(await readdir(folder.path)).toEqual([]);
  });

  it.each(["tasks.db", "deeper/tasks.db"])("where its folder is a file: %s", async (name) => {
    await using folder = await openFolder();
    await writeFile(folder.file("file"), "");
    const path = join(folder.file("file"), name);
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      message: `cannot open the store ${path}: ${folder.file("file")} is a file, not a folder; choose another path`,
    });
  });

  it("where the file may be read and not written", async () => {
    await using folder = await openFolder();
    const { href: driver } = new URL("./query-only-driver.mjs", import.meta.url);
    const path = folder.file();
    await expect(openSqliteStore({ path, driver })).rejects.toMatchObject({
      message: `cannot open the store ${path}: ${notAllowed}`,
    });
  });

  it("where the file is damaged, and leaves it as it is", async () => {
    await using folder = await openFolder();
    const path = folder.file();
    await (await openSqliteStore({ path })).close();
    const bytes = await readFile(path);
    // The header says what the file is; the list of its tables comes after that.
    bytes.fill(0x5a, 100, 4096);
    await writeFile(path, bytes);
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      message: `cannot open the store ${path}: it is damaged; restore a backup, or move it away to begin with an empty store`,
    });
    expect(await readFile(path)).toEqual(bytes);
  });

  it("where another program has locked the file", async () => {
    await using folder = await openFolder();
    const path = folder.file();
    using other = openRaw(path);
    other.exec("BEGIN EXCLUSIVE");
    await expect(openSqliteStore({ path, busyTimeoutMs: 1 })).rejects.toMatchObject({
      message: `cannot open the store ${path}: another program has locked it; stop that program, or choose another path`,
    });
    other.exec("ROLLBACK");
    await (await openSqliteStore({ path })).close();
  });
});

describe("the reason of each driver and of the system is known", () => {
  const locked = "another program has locked it; stop that program, or choose another path";
  const sqlite = (code: string) => Object.assign(new Error("…"), { code });

  it.each<[string, Error, string]>([
    ["better-sqlite3, with the code in detail", sqlite("SQLITE_BUSY_SNAPSHOT"), locked],
    [
      "node:sqlite, with a number",
      Object.assign(sqlite("ERR_SQLITE_ERROR"), { errcode: 8 + (3 << 8) }),
      notAllowed,
    ],
    [
      "libsql, with a number that its code does not have",
      Object.assign(sqlite(""), { rawCode: 8 + (5 << 8) }),
      notAllowed,
    ],
    [
      "libsql, in the message",
      Object.assign(
        new Error('ConnectionFailed("Unable to open connection to local database /x/a.db: 14")'),
        { code: "" },
      ),
      notAllowed,
    ],
    ["a folder of somebody else", sqlite("EACCES"), notAllowed],
    ["a disk that cannot be written", sqlite("EROFS"), notAllowed],
    ["a disk without space", sqlite("SQLITE_FULL"), "the disk is full; free some space"],
    [
      "a disk that fails",
      sqlite("SQLITE_IOERR_WRITE"),
      "the disk does not read or write it; see what the system says",
    ],
    ["something else", new Error("out of order"), "out of order"],
  ])("%s", async (_, cause, reason) => {
    await using folder = await openFolder();
    await mkdir(folder.file("data"));
    const path = join(folder.file("data"), "tasks.db");
    expect(await openingFailure(cause, path)).toBe(`cannot open the store ${path}: ${reason}`);
  });
});
