import { expect, it, vi } from "vitest";
import { createDeferred } from "../../async/internal.js";
import type { LiveTask } from "../log/live-task.js";
import { Journal } from "./journal.js";
import { RunTask } from "./run-task.js";
import type { Held } from "./run-task.js";

it("lets go of a task that is made after its run has left", async () => {
  const made = createDeferred<Held>();
  const task = new RunTask({
    journal: new Journal(),
    create: () => made.promise,
    received: () => undefined,
    claimed: () => undefined,
  });
  const making = task.ensure();
  task.release();
  const [stopObserving, release] = [vi.fn(), vi.fn()];
  const live = { epoch: 1, observe: () => stopObserving } as unknown as LiveTask;
  made.resolve({ handle: { live, release }, epoch: 1 });
  await making;
  expect([stopObserving.mock.calls.length, release.mock.calls.length]).toEqual([1, 1]);
});
