import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { chunksOf, creation } from "./sqlite-files.js";
import { openFolder } from "../support/files/open-folder.js";
import { openRaw } from "../support/files/open-raw.js";
import { rounds } from "../support/rounds.js";

/** Starts a script beside this file. */
function start(script: string, ...args: string[]): ChildProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return spawn(process.execPath, [path, ...args], { stdio: "inherit" });
}

/** The whole lines of a file that a process writes, once there are so many. */
async function readLines(path: string, child: ChildProcess, count: number): Promise<string[]> {
  for (;;) {
    const text = await readFile(path, "utf8").catch(() => "");
    const lines = text.split("\n").slice(0, -1);
    if (lines.length >= count) return lines;
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

function expectIntact(path: string): void {
  using raw = openRaw(path);
  expect(raw.all("PRAGMA integrity_check")).toMatchObject([{ integrity_check: "ok" }]);
}

test("whatever was acknowledged survives a kill, and logs have no holes", async () => {
  await using folder = await openFolder();
  const known = new Map<string, number>();
  for (let round = 0; round < rounds(20); round += 1) {
    const durability = round % 2 === 0 ? "full" : "process";
    const said = folder.file(`${round}.txt`);
    const args = [folder.file(), `round-${round}`, durability, said];
    const child = start("./keep-appending.mjs", ...args);
    await readLines(said, child, 20 + 40 * round);
    child.kill("SIGKILL");
    await once(child, "close");
    for (const line of await readLines(said, child, 1)) {
      const [taskId = "", sequence] = line.split(" ");
      known.set(taskId, Math.max(known.get(taskId) ?? 0, Number(sequence)));
    }

    await using store = await openSqliteStore({ path: folder.file() });
    for (const [taskId, acknowledged] of known) {
      const record = await store.loadRecord(taskId);
      expect(record?.sequence).toBeGreaterThanOrEqual(acknowledged);
      const chunks = await chunksOf(store, taskId);
      const expected = Array.from({ length: chunks.length }, (_, index) => `${index + 2}`);
      expect(chunks).toEqual(expected);
      expect(record?.sequence).toBe(chunks.length + 1);
    }
    const { totalSize } = await store.list({ agent: "travel", limit: 1 });
    expect(totalSize).toBeGreaterThanOrEqual(known.size);
  }
  expectIntact(folder.file());
});

test("processes that open a new file at once share it, and of appends at one sequence one wins", async () => {
  await using folder = await openFolder();
  const wins = 100;
  const writers = ["ada", "bob", "eve"];
  const children = writers.map((writer) =>
    start("./take-turns.mjs", folder.file(), writer, `${wins}`),
  );
  const codes = await Promise.all(children.map((child) => once(child, "close")));
  expect(codes.map(([code]) => code as unknown)).toEqual([0, 0, 0]);

  await using store = await openSqliteStore({ path: folder.file() });
  const chunks = await chunksOf(store, "shared");
  expect(chunks.length).toBe(wins * writers.length);
  for (const writer of writers) {
    const own = chunks.filter((text) => text.startsWith(writer));
    expect(own).toEqual(Array.from({ length: wins }, (_, index) => `${writer} ${index}`));
  }
  expectIntact(folder.file());
});

test("a process that forgets to close its store ends nevertheless", async () => {
  await using folder = await openFolder();
  const script = `
    import { openSqliteStore } from "@parley/a2a/store/sqlite";
    const store = await openSqliteStore({ path: ${JSON.stringify(folder.file())} });
    await store.renewNode("n1", 1000, { agent: "a", revision: "1", version: "1" });`;
  const args = ["--input-type=module", "--eval", script];
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const child = spawn(process.execPath, args, { cwd, stdio: "inherit" });
  expect(await once(child, "close")).toEqual([0, null]);
  using raw = openRaw(folder.file());
  expect(raw.all("SELECT node FROM nodes")).toMatchObject([{ node: "n1" }]);
});

test("processes that fill one store at once keep together what one caller and one task may have", async () => {
  await using folder = await openFolder();
  await using store = await openSqliteStore({ path: folder.file() });
  // The task that both register webhooks for is the first of ten.
  const create = { owner: { tenant: "", subject: "ada" }, agent: "Filled" };
  const first = creation("t1");
  await store.append({
    ...first,
    create: { ...first.create, contextId: "c", createdIn: "1.0", ...create },
  });
  const script = fileURLToPath(new URL("./fill-up.mjs", import.meta.url));
  const nodes = ["one", "two"].map((name) => {
    const child = spawn(process.execPath, [script, folder.file(), name, "t1"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
  });
  for (const { lines } of nodes) expect((await lines.next()).value).toBe("ready");
  for (const { child } of nodes) child.stdin.write("go\n");
  const kept = { tasks: 1, configs: 0 };
  for (const { lines } of nodes) {
    const taken = JSON.parse(String((await lines.next()).value)) as typeof kept;
    kept.tasks += taken.tasks;
    kept.configs += taken.configs;
  }
  expect(kept).toEqual({ tasks: 10, configs: 100 });
  expect((await store.loadUsage("ada", "Filled")).tasks).toBe(10);
  expect(await store.listPushConfigs("t1", undefined, 1000)).toHaveLength(100);
  for (const { child } of nodes) if (child.exitCode === null) await once(child, "close");
});

test("a store can tell whether another connection has written", async () => {
  await using folder = await openFolder();
  await using mine = await openSqliteStore({ path: folder.file() });
  await using other = await openSqliteStore({ path: folder.file() });
  const before = await mine.foreignVersion?.();
  await mine.append(creation("mine"));
  expect(await mine.foreignVersion?.()).toBe(before);
  await other.append(creation("theirs"));
  expect(await mine.foreignVersion?.()).not.toBe(before);
});
