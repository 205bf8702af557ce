import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { isTerminal } from "@parley/a2a";
import { openRaw } from "../support/files/open-raw.js";
import { openFolder } from "../support/files/open-folder.js";
import { chunksOf, endingsOf, readLog, withStore } from "./stored-log.js";
import { pauseBetweenWrites } from "./pause.js";
import { SubjectProcess } from "./subject-process.js";

test.for([
  // By the clock of the next process a whole lease has passed: it finds them failed as soon as it is there.
  { situation: "the process is restarted a lease later", leaseMs: 60_000, isRestarted: true },
  // How long a lease may take to end is tested where the clock is the test's.
  { situation: "another process is alive", leaseMs: 1500, isRestarted: false },
])(
  "a plain agent's tasks have failed when their process was killed and $situation",
  async ({ leaseMs, isRestarted }) => {
    await using folder = await openFolder();
    const options = { path: folder.file(), settings: { leaseMs } };
    await using other = isRestarted ? undefined : await SubjectProcess.start(options);
    await using killed = await SubjectProcess.start(options);
    const tasks = await Promise.all(
      Array.from({ length: 50 }, () => killed.sendForTask("forever", { immediate: true })),
    );
    expect(tasks.every(({ status }) => !isTerminal(status.state))).toBe(true);
    await killed.kill();

    const later = { ...options, clockOffsetMs: leaseMs };
    await using survivor = other ?? (await SubjectProcess.start(later));
    for (const { id } of tasks) {
      const { status } = isRestarted
        ? await survivor.get(id)
        : await survivor.until(id, (task) => isTerminal(task.status.state));
      expect(status.state).toBe("TASK_STATE_FAILED");
      expect(status.message?.parts[0]?.text).toContain("process that worked on this task stopped");
    }
    const log = await withStore(options.path, (store) => readLog(store, tasks[0]?.id ?? ""));
    expect(chunksOf(log)).toEqual(["begun"]);
    expect(endingsOf(log)).toEqual(["TASK_STATE_FAILED"]);
    expect(survivor.reports).toEqual([]);
  },
);

test("a cancellation that was asked for is not forgotten when all processes die over it", async () => {
  await using folder = await openFolder();
  const options = { path: folder.file(), durable: true, settings: { cancelGraceMs: 60_000 } };
  await using working = await SubjectProcess.start(options);
  await using canceling = await SubjectProcess.start(options);
  const { id } = await working.sendForTask("forever", { immediate: true });
  await pauseBetweenWrites(working, options.path);
  const answer = canceling.cancel(id).catch(() => "never answered");
  await withStore(options.path, async (store) => {
    const isAsked = async (): Promise<boolean> =>
      (await store.read(id, 0, 1000)).some(({ event }) => event.kind === "cancel-requested");
    while (!(await isAsked())) await canceling.get(id);
  });
  await Promise.all([working.kill(), canceling.kill()]);
  expect(await answer).toBe("never answered");

  await using next = await SubjectProcess.start({ ...options, clockOffsetMs: 60_000 });
  const { status } = await next.until(id, (task) => isTerminal(task.status.state));
  expect(status.state).toBe("TASK_STATE_CANCELED");
});

test("a message that came while the agent worked is dealt with after the first, also elsewhere", async () => {
  await using folder = await openFolder();
  const options = {
    path: folder.file(),
    gate: folder.file("gate"),
    durable: true,
    settings: { leaseMs: 300 },
  };
  await using killed = await SubjectProcess.start(options);
  const { id: taskId } = await killed.sendForTask("wait", { immediate: true });
  await killed.send("count 3", { taskId, immediate: true });
  await killed.kill();

  await using next = await SubjectProcess.start(options);
  await writeFile(options.gate, "open");
  const done = await next.until(taskId, (task) => isTerminal(task.status.state));
  expect(done.status.state).toBe("TASK_STATE_COMPLETED");
  await next.kill();
  const log = await withStore(options.path, (store) => readLog(store, taskId));
  const texts = chunksOf(log).map((text) => text.split("@")[0]);
  expect(texts).toEqual(["waiting", "done", "0", "1", "2"]);
});

test("a run that the store fails is not left working for ever", async () => {
  await using folder = await openFolder();
  const settings = { leaseMs: 400 };
  const options = { path: folder.file(), busyTimeoutMs: 50, settings };
  await using subject = await SubjectProcess.start(options);
  const { id } = await subject.sendForTask("count 100000 1", { immediate: true });
  {
    using raw = openRaw(options.path);
    raw.exec("PRAGMA busy_timeout = 10000");
    // Nobody else can write now, and the file is locked longer than anybody waits for it.
    raw.exec("BEGIN IMMEDIATE");
    while (!subject.reports.some((report) => report.startsWith("store"))) {
      await subject.send("hello");
    }
    // Writes wait in one queue, so what the run had there has failed when this has.
    await expect(subject.sendForTask("count 1")).rejects.toThrow();
    raw.exec("ROLLBACK");
  }
  const { status } = await subject.until(id, (task) => isTerminal(task.status.state));
  expect(status.state).toBe("TASK_STATE_FAILED");
  const again = await subject.sendForTask("count 10");
  expect(again.status.state).toBe("TASK_STATE_COMPLETED");
  const log = await withStore(options.path, (store) => readLog(store, id));
  const numbers = chunksOf(log).map((text) => Number(text.split("@")[0]));
  expect(numbers).toEqual(Array.from(numbers.keys()));
});
