import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openAuditLog, writeAuditLog } from "@parley/a2a/node";
import { openFolder } from "../support/files/open-folder.js";

const event = (number: number) =>
  ({
    at: "2026-01-02T00:00:00.000Z",
    decision: "authorization",
    outcome: "allowed",
    requestId: `r${number}`,
  }) as const;

it("appends a line for each decision to what is there, in a file of its owner's alone", async () => {
  await using folder = await openFolder();
  const path = join(folder.path, "audit.jsonl");
  for (const number of [1, 2]) {
    await using log = await openAuditLog(path);
    log.record(event(number));
  }
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([event(1), event(2)]);
  if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it.each([
  ["file/audit.jsonl", "a part of its path is a file, not a folder; choose another path"],
  ["none/audit.jsonl", "its folder does not exist; create it, or choose another path"],
  [".", "it is a folder; choose a file in it"],
])("is refused at once where it cannot be written: %s", async (name, reason) => {
  await using folder = await openFolder();
  await writeFile(join(folder.path, "file"), "");
  const path = join(folder.path, name);
  await expect(openAuditLog(path)).rejects.toThrow(
    new Error(`cannot write the audit log ${path}: ${reason}`),
  );
});

it("drops what comes faster than it can be written, beyond a bound, and says how much", () => {
  const written: string[] = [];
  const sink = { writableLength: 0, write: (text: string) => written.push(text) };
  const log = writeAuditLog(sink, 100);
  log.record(event(1));
  sink.writableLength = 100;
  for (const number of [2, 3, 4]) log.record(event(number));
  sink.writableLength = 99;
  log.record(event(5));
  log.record(event(6));
  expect(written.map((line) => JSON.parse(line) as unknown)).toEqual([
    event(1),
    { at: event(5).at, dropped: 3 },
    event(5),
    event(6),
  ]);
});

it("takes what comes after it was closed without a word", async () => {
  await using folder = await openFolder();
  const path = join(folder.path, "audit.jsonl");
  const log = await openAuditLog(path);
  await log.close();
  log.record(event(1));
  await log.close();
  expect(await readFile(path, "utf8")).toBe("");
});
