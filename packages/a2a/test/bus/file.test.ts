import { execFile } from "node:child_process";
import { appendFile, rm, stat } from "node:fs/promises";
import process from "node:process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { openFileBus } from "../../src/bus/file/index.js";
import type { Bus } from "../../src/bus/index.js";
import { checkBus } from "../../src/testing/index.js";
import { openFolder } from "../support/files/open-folder.js";
import { until } from "../support/time/until.js";

const run = promisify(execFile);

describe("the bus over a file holds the contract of buses", () => {
  const paths = new WeakMap<Bus, string>();
  let made = 0;
  const open = async (path: string): Promise<Bus> => {
    const bus = await openFileBus({ path });
    paths.set(bus, path);
    return bus;
  };
  const folder = openFolder();
  const cases = checkBus(async () => open((await folder).file(`${(made += 1)}-bus`)), {
    share: (bus) => open(paths.get(bus) ?? ""),
    stranger: async () => open((await folder).file(`${(made += 1)}-bus`)),
  });
  for (const one of cases) test(one.name, { skip: one.skipped !== undefined }, one.run);
  test("and leaves a small file, which is its owner's alone", async () => {
    const { size, mode } = await stat((await folder).file("1-bus"));
    expect(size).toBeLessThan(10_000);
    expect(mode & 0o777).toBe(0o600);
    await (await folder)[Symbol.asyncDispose]();
  });
});

/** Opens a bus for as long as the test runs. */
async function openWatched(path: string): Promise<{ bus: Bus; notices: string[]; lost: number[] }> {
  const notices: string[] = [];
  const lost: number[] = [];
  const bus = await openFileBus({ path, report: ({ message }) => void notices.push(message) });
  bus.onLost(() => lost.push(lost.length));
  return { bus, notices, lost };
}

test("a file that is removed is made again, and nodes find each other there", async () => {
  await using folder = await openFolder();
  const path = folder.file("tasks.db-bus");
  const { bus: first, notices, lost } = await openWatched(path);
  const { bus: second } = await openWatched(path);
  let woken = 0;
  second.subscribe("t1", (sequence) => (woken = sequence));
  await rm(path);
  await until(() => lost.length >= 2 && first.isConnected && second.isConnected, "both are back");
  first.publish("t1", 3);
  await until(() => woken === 3, "a wake-up through the new file");
  expect(notices.length).toBe(2);
  expect(notices[0]).toMatch(/the connection was lost \(.*tasks\.db-bus was removed\)/u);
  expect(notices[1]).toMatch(/wake-ups arrive now/u);
  await Promise.all([first.close(), second.close()]);
});

test("a long file is emptied, and nodes are told that something may be lost", async () => {
  await using folder = await openFolder();
  const path = folder.file("tasks.db-bus");
  const { bus: first, lost } = await openWatched(path);
  const { bus: second } = await openWatched(path);
  let woken = 0;
  second.subscribe("t1", (sequence) => (woken = sequence));
  await appendFile(path, `${"x".repeat(1024 * 1024)}\n\n`);
  let sequence = 0;
  await until(() => {
    first.publish("t1", (sequence += 1));
    return lost.length > 0;
  }, "the file is emptied");
  expect((await stat(path)).size).toBeLessThan(100_000);
  const last = sequence + 1;
  first.publish("t1", last);
  await until(() => woken === last, "a wake-up in the emptied file");
  await Promise.all([first.close(), second.close()]);
});

test("a folder that is not there is a notice, and the bus waits for it", async () => {
  await using folder = await openFolder();
  const { bus, notices } = await openWatched(`${folder.path}/missing/tasks.db-bus`);
  expect(bus.isConnected).toBe(false);
  expect(notices).toEqual([
    expect.stringMatching(/^file .*tasks\.db-bus: cannot connect \(ENOENT.*every second\.$/u),
  ]);
  await bus.close();
});

test("a process is woken by another one", async () => {
  await using folder = await openFolder();
  const path = folder.file("tasks.db-bus");
  const { bus } = await openWatched(path);
  let woken = 0;
  await bus.subscribe("t1", (sequence) => (woken = sequence)).ready;
  const code = `
    import { openFileBus } from ${JSON.stringify(import.meta.resolve("../../dist/bus/file/index.js"))};
    const bus = await openFileBus({ path: ${JSON.stringify(path)} });
    bus.publish("t1", 42);
    await bus.close();
  `;
  await run(process.execPath, ["--input-type=module", "--eval", code]);
  await until(() => woken === 42, "the wake-up of the other process");
  await bus.close();
});
