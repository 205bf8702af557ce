import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { chunksOf, openFolder, openRaw } from "./sqlite-files.js";

/** Starts a script beside this file, with its output gathered in `text`. */
function start(script: string, ...args: string[]) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const output = { child, text: "" };
  child.stdout.on("data", (bytes: Buffer) => (output.text += bytes.toString()));
  return output;
}

function expectIntact(path: string): void {
  using raw = openRaw(path);
  expect(raw.all("PRAGMA integrity_check")).toMatchObject([{ integrity_check: "ok" }]);
}

test("whatever was acknowledged survives a kill, and logs have no holes", async () => {
  await using folder = await openFolder();
  const known = new Map<string, number>();
  for (let round = 0; round < 20; round += 1) {
    const durability = round % 2 === 0 ? "full" : "process";
    const output = start("./keep-appending.mjs", folder.file(), `round-${round}`, durability);
    const lines = 20 + 40 * round;
    while (output.text.split("\n").length < lines) await once(output.child.stdout, "data");
    output.child.kill("SIGKILL");
    await once(output.child, "close");
    // The last line may have been cut off.
    for (const line of output.text.split("\n").slice(0, -1)) {
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
}, 120_000);

test("processes that open a new file at once share it, and of appends at one sequence one wins", async () => {
  await using folder = await openFolder();
  const wins = 100;
  const writers = ["ada", "bob", "eve"];
  const outputs = writers.map((writer) =>
    start("./take-turns.mjs", folder.file(), writer, `${wins}`),
  );
  const codes = await Promise.all(outputs.map(({ child }) => once(child, "close")));
  expect(codes.map(([code]) => code as unknown)).toEqual([0, 0, 0]);

  await using store = await openSqliteStore({ path: folder.file() });
  const chunks = await chunksOf(store, "shared");
  expect(chunks.length).toBe(wins * writers.length);
  for (const writer of writers) {
    const own = chunks.filter((text) => text.startsWith(writer));
    expect(own).toEqual(Array.from({ length: wins }, (_, index) => `${writer} ${index}`));
  }
  expectIntact(folder.file());
}, 60_000);

test("a process that forgets to close its store ends nevertheless", async () => {
  await using folder = await openFolder();
  const script = `
    import { openSqliteStore } from "@parley/a2a/store/sqlite";
    const store = await openSqliteStore({ path: ${JSON.stringify(folder.file())} });
    await store.renewNode("n1", 1000);`;
  const args = ["--input-type=module", "--eval", script];
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const child = spawn(process.execPath, args, { cwd, stdio: "inherit" });
  expect(await once(child, "close")).toEqual([0, null]);
  using raw = openRaw(folder.file());
  expect(raw.all("SELECT node FROM nodes")).toMatchObject([{ node: "n1" }]);
});
