import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { chunk, chunksOf, creation } from "./sqlite-files.js";
import { openFolder } from "../support/files/open-folder.js";
import { openRaw } from "../support/files/open-raw.js";

const driver = new URL("./faulty-driver.mjs", import.meta.url).href;

/** How many transactions a write-ahead log holds: the frames that end one say how large the file is. */
async function countCommits(path: string): Promise<number> {
  const wal = await readFile(`${path}-wal`);
  const pageSize = wal.readUInt32BE(8);
  const salts = wal.subarray(16, 24);
  let commits = 0;
  for (let frame = 32; frame + 24 <= wal.length; frame += 24 + pageSize) {
    const isCurrent = wal.subarray(frame + 8, frame + 16).equals(salts);
    if (isCurrent && wal.readUInt32BE(frame + 4) !== 0) commits += 1;
  }
  return commits;
}

/** By then what was asked before is on its way. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

const nextTimer = () => new Promise((resolve) => setTimeout(resolve, 1));

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test("writes that arrive while a commit is under way share the next one", async () => {
  await using folder = await openFolder();
  await using store = await openSqliteStore({ path: folder.file() });
  const before = await countCommits(folder.file());
  using gate = openRaw(folder.file());
  gate.exec("BEGIN IMMEDIATE");
  const first = store.append(creation("first"));
  await nextTurn();
  const others: Promise<unknown>[] = [];
  // One message to the store's thread each, so that only the thread can put them together.
  for (const number of numbers(100)) {
    others.push(store.append(creation(`${number}`)));
    await nextTurn();
  }
  gate.exec("COMMIT");
  await Promise.all([first, ...others]);
  // The thread takes the first along with the others where it had not begun with it: nobody can see from outside that it had.
  expect((await countCommits(folder.file())) - before).toBeLessThanOrEqual(2);
});

test("appends to one task may follow each other without waiting", async () => {
  await using folder = await openFolder();
  await using store = await openSqliteStore({ path: folder.file() });
  const before = await countCommits(folder.file());
  await Promise.all([
    store.append(creation("t1")),
    ...numbers(50).map((number) => {
      const append = { taskId: "t1", expectedSequence: number + 1, epoch: 1 };
      return store.append({ ...append, events: [chunk(`${number}`)] });
    }),
  ]);
  expect(await chunksOf(store, "t1")).toEqual(numbers(50).map(String));
  expect((await countCommits(folder.file())) - before).toBe(1);
});

test("a batch is bounded: more than it holds goes into several", async () => {
  await using folder = await openFolder();
  await using store = await openSqliteStore({ path: folder.file() });
  const before = await countCommits(folder.file());
  await Promise.all(numbers(600).map((number) => store.append(creation(`${number}`))));
  // Twice 256, then the rest.
  expect((await countCommits(folder.file())) - before).toBe(3);
});

test("the event loop goes on while a commit takes its time", async () => {
  await using folder = await openFolder();
  await using store = await openSqliteStore({ path: folder.file() });
  using gate = openRaw(folder.file());
  gate.exec("BEGIN IMMEDIATE");
  let isDone = false;
  const append = store.append(creation("t1")).then(() => (isDone = true));
  for (const _ of numbers(20)) await nextTimer();
  expect(isDone).toBe(false);
  gate.exec("COMMIT");
  await append;
});

test("a refused write has no effect on those that share its commit", async () => {
  await using folder = await openFolder();
  await using store = await openSqliteStore({ path: folder.file() });
  await store.append(creation("t1"));
  const before = await countCommits(folder.file());
  const next = { taskId: "t1", epoch: 1, events: [chunk("kept")] };
  const outcomes = await Promise.allSettled([
    store.append(creation("t2")),
    store.append({ ...next, expectedSequence: 7 }),
    store.append({ ...next, expectedSequence: 1 }),
    store.append(creation("t2")),
    store.append(creation("t3")),
  ]);
  expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual([
    true,
    false,
    true,
    false,
    true,
  ]);
  expect((await countCommits(folder.file())) - before).toBe(1);
  expect(await chunksOf(store, "t1")).toEqual(["kept"]);
});

test("a write that breaks fails alone, with a neutral message and the cause", async () => {
  await using folder = await openFolder();
  const reports: Error[] = [];
  const report = (notice: Error) => void reports.push(notice);
  await using store = await openSqliteStore({ path: folder.file(), driver, report });
  const broken = creation("t2", { events: [chunk("breaks the statement")] });
  const [first, second, third] = await Promise.allSettled([
    store.append(creation("t1")),
    store.append(broken),
    store.append(creation("t3")),
  ]);
  expect([first?.status, third?.status]).toEqual(["fulfilled", "fulfilled"]);
  expect(second).toMatchObject({
    status: "rejected",
    reason: {
      code: "UNAVAILABLE",
      message: "the store of this server does not work at present; try again later",
      cause: reports[0],
    },
  });
  expect(reports.map(({ message }) => message)).toEqual([
    `the store ${folder.file()} does not work: an operation failed. Callers get UNAVAILABLE until it works again (broken (injected)).`,
  ]);
  expect(await store.load("t2")).toBeUndefined();
  expect((await store.list({ agent: "travel", limit: 10 })).totalSize).toBe(2);
});

test("a commit that fails takes back the whole batch, and the store goes on", async () => {
  await using folder = await openFolder();
  const report = () => undefined;
  await using store = await openSqliteStore({ path: folder.file(), driver, report });
  await store.append(creation("t0"));
  const next = { taskId: "t0", expectedSequence: 1, epoch: 1, events: [chunk("later")] };
  const outcomes = await Promise.allSettled([
    store.append({ ...next, status: { state: "TASK_STATE_COMPLETED", at: 2000 } }),
    store.append(creation("t1", { messageIds: ["fails the commit"] })),
    store.append(creation("t2")),
  ]);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "UNAVAILABLE" } });
  }
  expect(await store.load("t2")).toBeUndefined();
  const scope = { tenant: "acme", subject: "ada", agent: "travel" };
  expect(await store.findByMessageId(scope, "fails the commit")).toBeUndefined();
  await Promise.all([store.append(next), store.append(creation("t2"))]);
  expect(await chunksOf(store, "t0")).toEqual(["later"]);
  expect((await store.list({ agent: "travel", limit: 10 })).totalSize).toBe(2);
});

test("when the thread dies, what is pending and what comes later is unavailable", async () => {
  await using folder = await openFolder();
  const reports: string[] = [];
  const report = ({ message }: Error) => void reports.push(message);
  const store = await openSqliteStore({ path: folder.file(), driver, report });
  await store.append(creation("t1"));
  const pending = [
    store.append(creation("t2", { messageIds: ["ends the thread"] })),
    store.append(creation("t3")),
  ];
  await nextTurn();
  pending.push(store.append(creation("t4")));
  for (const one of pending) await expect(one).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(store.load("t1")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(reports).toEqual([
    `the thread of the store ${folder.file()} has ended; start the server again`,
  ]);
  await store.close();

  await using again = await openSqliteStore({ path: folder.file() });
  expect((await again.list({ agent: "travel", limit: 10 })).totalSize).toBe(1);
});

test("a closed store refuses what comes later", async () => {
  await using folder = await openFolder();
  const store = await openSqliteStore({ path: folder.file() });
  const append = store.append(creation("t1"));
  const closed = store.close();
  const late = expect(store.append(creation("t2"))).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "the store is closed",
  });
  await Promise.all([append, closed, late]);
});
