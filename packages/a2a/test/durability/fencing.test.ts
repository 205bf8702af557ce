import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { isTerminal } from "@parley/a2a";
import type { StreamEvent } from "@parley/a2a";
import type { Store, TaskRecord } from "@parley/a2a/store";
import { openRaw } from "../support/files/open-raw.js";
import { openFolder } from "../support/files/open-folder.js";
import { pauseBetweenWrites } from "./pause.js";
import {
  chunksOf,
  endingsOf,
  readEffects,
  readLog,
  shownBy,
  toldIn,
  withStore,
} from "./stored-log.js";
import { SubjectProcess } from "./subject-process.js";

const chunks = 200;

test.for([
  { durable: true, ending: "TASK_STATE_COMPLETED" },
  { durable: false, ending: "TASK_STATE_FAILED" },
])(
  "a process that was paused past its lease writes no more to what another has taken over ($ending)",
  async ({ durable, ending }) => {
    await using folder = await openFolder();
    const options = { path: folder.file(), durable, settings: { leaseMs: 400 } };
    await using paused = await SubjectProcess.start(options);
    const seen: StreamEvent[] = [];
    let hasBegun: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (hasBegun = resolve));
    const streaming = paused.stream(`count ${chunks} 10`, (event) => {
      seen.push(event);
      if (seen.length > 10) hasBegun();
    });
    await begun;
    await pauseBetweenWrites(paused, options.path);
    const id = seen[0]?.response.task?.id ?? "";

    await using other = await SubjectProcess.start(options);
    const { status, contextId } = await other.until(id, (task) => isTerminal(task.status.state));
    expect(status.state).toBe(ending);
    const before = await withStore(options.path, (store) => readLog(store, id));

    // It goes on in the middle of its stream, tries to write, and shows what the other has written.
    paused.resume();
    await streaming;
    expect((await paused.sendForTask("count 20")).status.state).toBe("TASK_STATE_COMPLETED");
    const after = await withStore(options.path, (store) => readLog(store, id));
    expect(after).toEqual(before);
    expect(endingsOf(after)).toEqual([ending]);
    const [first, ...rest] = seen;
    expect(first?.response.task?.id).toBe(id);
    expect(rest).toEqual(shownBy(after, { id, ...(contextId !== undefined && { contextId }) }));

    const texts = chunksOf(after).map((text) => text.split("@"));
    const numbers = texts.map(([number]) => Number(number));
    expect(numbers).toEqual(Array.from(numbers.keys()));
    const writers = new Set(texts.map(([, writer]) => writer));
    expect(writers.size, "writers of what is left").toBe(1);
    if (durable) expect(numbers.length).toBe(chunks);
    expect([...paused.reports, ...other.reports]).toEqual([]);
  },
);

test("a process that was paused past its lease cannot even write first after another took over", async () => {
  await using folder = await openFolder();
  // Too long to end by itself while both go on: then the first could take its task back.
  const leaseMs = 600_000;
  const options = {
    path: folder.file(),
    effects: folder.file("effects"),
    gate: folder.file("gate"),
    durable: true,
    settings: { leaseMs },
  };
  await using paused = await SubjectProcess.start(options);
  const { id } = await paused.sendForTask("relay 60 10", { immediate: true });
  await paused.until(id, ({ artifacts }) => (artifacts?.[0]?.parts.length ?? 0) > 5);
  await pauseBetweenWrites(paused, options.path);
  const [{ epoch }, before] = await withStore(options.path, async (store) => [
    await recordOf(store, id),
    await readLog(store, id),
  ]);

  // The lease of the first is over, long before its time.
  await withStore(options.path, async (store) => {
    await store.releaseNode((await recordOf(store, id)).node ?? "");
  });
  await using other = await SubjectProcess.start(options);
  await withStore(options.path, async (store) => {
    while ((await recordOf(store, id)).epoch === epoch) await other.get(id);
  });
  // The log is as the paused process knows it, but for who has taken it up: it is the other's.
  paused.resume();
  while ((await readEffects(options.effects)).length === 0) await other.get(id);
  const taken = await withStore(options.path, (store) => readLog(store, id));
  expect(taken.slice(0, before.length)).toEqual(before);
  const since = taken.slice(before.length).map(({ event }) => event.kind);
  expect(since).toEqual(["run-resumed"]);

  await writeFile(options.gate, "open");
  const { status } = await other.until(id, (task) => isTerminal(task.status.state));
  expect(status.state).toBe("TASK_STATE_COMPLETED");
  const log = await withStore(options.path, (store) => readLog(store, id));
  expect(log.slice(0, before.length)).toEqual(before);
  const texts = chunksOf(log).map((text) => text.split("@"));
  expect(texts.map(([number]) => Number(number))).toEqual(
    Array.from({ length: 60 }).map((_, i) => i),
  );
  const added = toldIn(log.slice(before.length)).map((text) => text.split("@")[1]);
  expect(new Set(added).size).toBe(1);
  expect([...paused.reports, ...other.reports]).toEqual([]);
});

test("a process that was paused goes on with its tasks when nobody has taken them over", async () => {
  await using folder = await openFolder();
  const options = { path: folder.file(), settings: { leaseMs: 200 } };
  await using paused = await SubjectProcess.start(options);
  const { id } = await paused.sendForTask(`count ${chunks} 10`, { immediate: true });
  await pauseBetweenWrites(paused, options.path);
  await withStore(options.path, async (store) => {
    const node = (await store.loadRecord(id))?.node ?? "";
    while (await store.isLive(node)) await sleep(10);
  });
  {
    // It is to look for abandoned tasks before its lease is renewed: nothing can be written for a while.
    using raw = openRaw(options.path);
    raw.exec("PRAGMA busy_timeout = 10000");
    raw.exec("BEGIN IMMEDIATE");
    paused.resume();
    await sleep(300);
    raw.exec("ROLLBACK");
  }
  const { status, artifacts } = await paused.until(id, (task) => isTerminal(task.status.state));
  expect(status.state).toBe("TASK_STATE_COMPLETED");
  expect(artifacts?.[0]?.parts.length).toBe(chunks);
});

async function recordOf(store: Store, id: string): Promise<TaskRecord> {
  const record = await store.loadRecord(id);
  if (record === undefined) throw new Error(`there is no task ${id}`);
  return record;
}
