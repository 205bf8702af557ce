import { expect, it, vi } from "vitest";
import { createDeferred, systemClock } from "../../../async/internal.js";
import type { LiveTask } from "../../log/live-task.js";
import type { LiveTasks } from "../../log/live-tasks.js";
import type { Committed } from "../../log/write.js";
import type { Birth } from "./birth.js";
import { TaskWriter } from "./task-writer.js";

const birth: Birth = {
  identity: {
    taskId: "t1",
    publicId: "t1",
    owner: { tenant: "", subject: "" },
    agent: "a",
    contextId: "c1",
    createdIn: "1.0",
  },
  message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hello" }] },
  call: {},
  keepsTransitions: false,
};

/** A writer of an unborn task, and the store's answer to its first append. */
function openWriter() {
  const stored = createDeferred<Committed>();
  const [stopObserving, release] = [vi.fn(), vi.fn()];
  const live = {
    replica: { epoch: 1, observe: () => stopObserving },
    write: () => stored.promise,
  } as unknown as LiveTask;
  const liveTasks = { create: () => ({ live, release }) } as unknown as LiveTasks;
  const orphans = new Set<string>();
  const writer = TaskWriter.unborn({ clock: systemClock, liveTasks, node: "n1", orphans }, birth);
  return { writer, stored, stopObserving, release, orphans };
}

it("lets go of a task that is made after its run has left", async () => {
  const { writer, stored, stopObserving, release } = openWriter();
  const making = writer.ensure();
  writer.release();
  stored.resolve({ sequence: 3, epoch: 1 });
  await making;
  expect([stopObserving.mock.calls.length, release.mock.calls.length]).toEqual([1, 1]);
});

it("reports a task that could not be created once, and leaves it to recovery", async () => {
  const { writer, stored, release, orphans } = openWriter();
  const told: string[] = [];
  writer.observe({
    planned: () => undefined,
    born: () => told.push("born"),
    pause: () => undefined,
    entry: () => told.push("entry"),
    lost: (reason, isDropped) => told.push(`${String(reason)}, dropped: ${isDropped}`),
    takesUp: () => ({ kind: "run-resumed", run: 1, attempt: 1, revision: "1" }),
  });
  const both = Promise.all([writer.ensure(), writer.writeLast(() => ({ events: [] }))]);
  stored.reject(new Error("disk full"));
  expect(await both).toEqual([undefined, false]);
  expect(told).toEqual(["Error: disk full, dropped: false"]);
  expect([...orphans]).toEqual(["t1"]);
  expect(release).toHaveBeenCalledOnce();
});
