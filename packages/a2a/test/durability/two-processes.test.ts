import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { isTerminal } from "@parley/a2a";
import type { StreamEvent } from "@parley/a2a";
import { verifies } from "../spec/verifies.js";
import { openFolder } from "../support/files/open-folder.js";
import { readEffects, readLog, shownBy, withStore } from "./stored-log.js";
import { SubjectProcess } from "./subject-process.js";

/** Two live processes over one file. */
async function startTwo() {
  const folder = await openFolder();
  const options = {
    path: folder.file(),
    effects: folder.file("effects"),
    gate: folder.file("gate"),
    durable: true,
    // Nobody is overruled, and no lease ends by itself, however busy the machine is.
    settings: { cancelGraceMs: 600_000, leaseMs: 16_000, stopGraceMs: 100 },
  };
  const [one, other] = await Promise.all([
    SubjectProcess.start(options),
    SubjectProcess.start(options),
  ]);
  return {
    ...options,
    one,
    other,
    async [Symbol.asyncDispose](): Promise<void> {
      await Promise.all([one.kill(), other.kill()]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("a task that one process runs is watched through the other", async () => {
  verifies("stream:order", "stream:same-events");
  await using two = await startTwo();
  const { one, other } = two;
  const { id, contextId = "" } = await one.sendForTask("wait 200", { immediate: true });
  const seen: StreamEvent[] = [];
  const again: StreamEvent[] = [];
  const watching = [
    other.watch(id, (event) => seen.push(event)),
    other.watch(id, (event) => again.push(event), 0),
  ];
  await expect.poll(() => Math.min(seen.length, again.length)).toBeGreaterThan(0);
  await writeFile(two.gate, "open");
  await Promise.all(watching);
  const shown = shownBy(await withStore(two.path, (store) => readLog(store, id)), {
    id,
    contextId,
  });
  const [first, ...rest] = seen;
  expect(first?.response.task?.id).toBe(id);
  expect(rest).toEqual(shown.filter(({ sequence = 0 }) => sequence > (first?.sequence ?? 0)));
  expect(rest.length).toBeGreaterThan(200);
  expect(again.filter(({ response }) => response.task === undefined)).toEqual(shown);
});

test("a question that one process asked is answered through the other", async () => {
  await using two = await startTwo();
  const { one, other } = two;
  const { id: taskId } = await one.sendForTask("ask");
  await other.sendForTask("this", { taskId });
  const done = await one.sendForTask("that", { taskId });
  expect(done.status.state).toBe("TASK_STATE_COMPLETED");
  expect((await other.get(taskId)).artifacts).toEqual(done.artifacts);
  const effects = await readEffects(two.effects);
  expect(effects.map(({ what }) => what)).toEqual(["before", "between"]);
});

test("a message reaches the handler that listens in the other process", async () => {
  await using two = await startTwo();
  const { one, other } = two;
  const { id: taskId } = await one.sendForTask("listen", { immediate: true });
  const { status, artifacts } = await other.sendForTask("hear this", { taskId });
  expect(status.state).toBe("TASK_STATE_COMPLETED");
  expect(artifacts?.[0]?.parts).toEqual([{ text: "listening" }, { text: "hear this" }]);
});

test("a cancellation through one process stops the handler in the other", async () => {
  verifies("cancel:updated-task", "cancel:idempotent");
  await using two = await startTwo();
  const { one, other } = two;
  const { id } = await one.sendForTask("obey", { immediate: true });
  expect((await other.cancel(id)).status.state).toBe("TASK_STATE_CANCELED");
  expect((await one.get(id)).status.state).toBe("TASK_STATE_CANCELED");
  await expect(one.cancel(id)).rejects.toThrow("is canceled; only active tasks can be canceled");
  while ((await readEffects(two.effects)).length === 0) await one.get(id);
});

test("a process that closes hands its tasks to the other, which begins them again", async () => {
  await using two = await startTwo();
  const { one, other } = two;
  const { id } = await one.sendForTask("handOver 200", { immediate: true });
  await one.close();
  const { status, artifacts } = await other.until(id, (task) => isTerminal(task.status.state));
  expect(status.state).toBe("TASK_STATE_COMPLETED");
  const parts = artifacts?.[0]?.parts.filter(({ text }) => text !== "") ?? [];
  const texts = parts.map(({ text = "" }) => text.split("@"));
  expect(texts.map(([number]) => Number(number))).toEqual(
    Array.from({ length: 200 }).map((_, i) => i),
  );
  expect(new Set(texts.map(([, writer]) => writer)).size, "writers of what is left").toBe(1);
  expect([...one.reports, ...other.reports]).toEqual([]);
});
