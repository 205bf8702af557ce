import { expect, it } from "vitest";
import type { RuntimeSettings } from "../../src/server/index.js";
import { intercept } from "../support/runtime/intercept.js";
import { callBy, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";
import { refusal, taskOf } from "../support/runtime/answers.js";

const ann = callBy("ann");

/** A runtime with a task of one caller that has ended, and how often the store was asked for a task. */
async function openWithTask(settings: Partial<RuntimeSettings> = {}) {
  const runtime = await openTestRuntime({
    settings: { hasAuthentication: true, ...settings },
    async *run() {
      yield "done";
    },
  });

  const task = taskOf(await runtime.service.sendMessage(say("go"), ann));
  const loads = { count: 0 };
  intercept(runtime.store, "load", () => void (loads.count += 1));
  return { runtime, task, loads };
}

it("a task that has ended is asked for once a second, however many read it", async () => {
  const { runtime, task, loads } = await openWithTask();
  await using _ = runtime;
  const { id } = task;
  for (let count = 0; count < 5; count += 1) {
    expect(await runtime.service.getTask({ id }, ann)).toEqual(task);
  }
  expect(loads.count).toBe(1);
  expect(await runtime.service.getTask({ id, historyLength: 0 }, ann)).not.toHaveProperty(
    "history",
  );
  expect(loads.count).toBe(1);
  await runtime.clock.advance(1000);
  expect(await runtime.service.getTask({ id }, ann)).toEqual(task);
  expect(loads.count).toBe(2);
});

it("a task that others have just read is found by nobody who cannot reach it", async () => {
  const { runtime, task } = await openWithTask();
  await using _ = runtime;
  const { id } = task;
  await runtime.service.getTask({ id }, ann);
  for (const other of [callBy("bob"), callBy("ann", { tenant: "acme" })]) {
    expect((await refusal(runtime.service.getTask({ id }, other))).code).toBe("TASK_NOT_FOUND");
  }
});

it("a task that was deleted is not found, although it was read just before", async () => {
  const { runtime, task } = await openWithTask({ retentionMs: 400 });
  await using _ = runtime;
  const { id } = task;
  await runtime.clock.advance(300);
  await runtime.service.getTask({ id }, ann);
  await runtime.clock.advance(101);
  await runtime.store.deleteEnded(runtime.clock.now() - 400, 10);
  expect((await refusal(runtime.service.getTask({ id }, ann))).code).toBe("TASK_NOT_FOUND");
});

it("a task that another process has deleted is not found after a second", async () => {
  const { runtime, task } = await openWithTask();
  await using _ = runtime;
  const { id } = task;
  await runtime.service.getTask({ id }, ann);
  await runtime.clock.advance(1);
  await runtime.store.deleteEnded(runtime.clock.now(), 10);
  await runtime.clock.advance(999);
  expect((await refusal(runtime.service.getTask({ id }, ann))).code).toBe("TASK_NOT_FOUND");
});
