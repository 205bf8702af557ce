import { expect, test } from "vitest";
import { isTerminal } from "@parley/a2a";
import type { Task } from "@parley/a2a";
import { openFolder } from "../support/files/open-folder.js";
import { textIn } from "../server/replay/records.js";
import { pauseBetweenWrites } from "./pause.js";
import { readEffects, readLog, withStore } from "./stored-log.js";
import { SubjectProcess } from "./subject-process.js";
import type { SubjectOptions } from "./subject-process.js";

/** What the agent says at its end of how it came there. */
interface Result {
  readonly activation: string;
  readonly found: string;
  readonly answer: string;
  readonly edition: number;
}

function textOf(task: Task, artifactId: string): string {
  return textIn(task.artifacts?.find((artifact) => artifact.artifactId === artifactId)?.parts);
}

function resultOf(task: Task): Result {
  expect(task.status.state).toBe("TASK_STATE_COMPLETED");
  return JSON.parse(textOf(task, "result")) as Result;
}

/** A file, and what every process over it is told. */
async function openShared(more: Partial<SubjectOptions> = {}) {
  const folder = await openFolder();
  const options = { path: folder.file(), effects: folder.file("effects"), ...more };
  return {
    options,
    countEffects: async (what: string): Promise<number> =>
      (await readEffects(options.effects)).filter((effect) => effect.what === what).length,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test.for([
  { by: "is killed", end: (holder: SubjectProcess) => holder.kill() },
  { by: "is told to stop", end: (holder: SubjectProcess) => holder.terminate() },
])("a waiting task goes on in edited code after its process $by", async ({ end }) => {
  await using shared = await openShared();
  await using first = await SubjectProcess.start(shared.options);
  const waiting = await first.sendForTask("consult");
  expect(waiting.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  await end(first);

  await using second = await SubjectProcess.start({ ...shared.options, edition: 2 });
  expect((await second.get(waiting.id)).status).toEqual(waiting.status);
  const done = await second.sendForTask("this", { taskId: waiting.id });
  const result = resultOf(done);
  expect(result).toMatchObject({ answer: "this", edition: 2 });
  // Whoever read the draft before the question finds it as it was.
  expect(textOf(done, "answer")).toBe(textOf(waiting, "answer"));
  expect(textOf(done, "answer")).not.toContain(result.activation);
  expect(await shared.countEffects("begun")).toBe(2);
  expect(await shared.countEffects("find")).toBe(1);
  expect(await shared.countEffects("rate")).toBe(1);
  expect(second.reports).toEqual([]);
});

test.for([
  { cause: "too many wait", settings: { maxSuspended: 0 } },
  { cause: "it waits for long", settings: { suspendForMs: 1 } },
])(
  "a handler that is evicted because $cause is begun again with its answer",
  async ({ settings }) => {
    await using shared = await openShared({ settings });
    await using subject = await SubjectProcess.start(shared.options);
    const waiting = await subject.sendForTask("consult");
    // Each call goes once around the event loop of the process, so its timer has fired before the last of them.
    for (const begun = Date.now(); Date.now() - begun < 20;) await subject.get(waiting.id);
    const done = await subject.sendForTask("this", { taskId: waiting.id });
    expect(resultOf(done).answer).toBe("this");
    expect(textOf(done, "answer")).toBe(textOf(waiting, "answer"));
    expect(await shared.countEffects("begun")).toBe(2);
    expect(await shared.countEffects("find")).toBe(1);
  },
);

test("a handler that waits goes on where it stands", async () => {
  await using shared = await openShared();
  await using subject = await SubjectProcess.start(shared.options);
  const waiting = await subject.sendForTask("consult");
  const done = await subject.sendForTask("this", { taskId: waiting.id });
  expect(textOf(done, "answer")).toBe(`drafted by ${resultOf(done).activation}`);
  expect(await shared.countEffects("begun")).toBe(1);
});

test("it does so too when the answer comes to another process over the same file", async () => {
  await using shared = await openShared();
  await using holder = await SubjectProcess.start(shared.options);
  await using other = await SubjectProcess.start(shared.options);
  const waiting = await holder.sendForTask("consult");
  const done = await other.sendForTask("this", { taskId: waiting.id });
  expect(resultOf(done).answer).toBe("this");
  expect(textOf(done, "answer")).toBe(`drafted by ${resultOf(done).activation}`);
  expect(await shared.countEffects("begun")).toBe(1);
  expect(await holder.get(waiting.id)).toEqual(done);
  expect([...holder.reports, ...other.reports]).toEqual([]);
});

test("a holder that stands still loses the task, and never writes to it again", async () => {
  // Its lease does not end: only the answer that it does not take up costs it the task.
  await using shared = await openShared({ settings: { leaseMs: 600_000, takeUpMs: 500 } });
  await using holder = await SubjectProcess.start(shared.options);
  await using other = await SubjectProcess.start(shared.options);
  const { id: taskId } = await holder.sendForTask("consult");
  await pauseBetweenWrites(holder, shared.options.path);
  await other.send("this", { taskId, immediate: true });
  const done = await other.until(taskId, ({ status }) => isTerminal(status.state));
  expect(resultOf(done).answer).toBe("this");
  expect(await shared.countEffects("begun")).toBe(2);
  expect(await shared.countEffects("find")).toBe(1);
  const log = await withStore(shared.options.path, (store) => readLog(store, taskId));

  holder.resume();
  // It has come back when it answers, and has looked at what it held when it has answered another.
  expect(resultOf(await holder.get(taskId))).toEqual(resultOf(done));
  const another = await holder.sendForTask("consult");
  expect(resultOf(await holder.sendForTask("that", { taskId: another.id })).answer).toBe("that");
  expect(await withStore(shared.options.path, (store) => readLog(store, taskId))).toEqual(log);
  expect([...holder.reports, ...other.reports]).toEqual([]);
});
