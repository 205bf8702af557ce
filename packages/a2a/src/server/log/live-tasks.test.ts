import { expect, it } from "vitest";
import { createDeferred } from "../../async/internal.js";
import { createInProcessBus } from "../../bus/index.js";
import { createMemoryStore } from "../../store/memory/index.js";
import { createTestClock } from "../../testing/index.js";
import { LiveTasks } from "./live-tasks.js";
import { LogWentBack } from "./log-went-back.js";

it("a task that was opened again stays when the one before it learns late that the log went back", async () => {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  const status = { state: "TASK_STATE_WORKING" } as const;
  await store.append({
    taskId: "t",
    expectedSequence: 0,
    epoch: 1,
    create: { owner: { tenant: "", subject: "" }, agent: "a", contextId: "c", createdIn: "1.0" },
    status: { ...status, at: clock.now() },
    events: [{ kind: "task-created", taskId: "t", contextId: "c", status }],
  });
  const answer = createDeferred<void>();
  const slow = Object.create(store, {
    loadRecord: {
      value: async (taskId: string) => {
        await answer.promise;
        const record = await store.loadRecord(taskId);
        return record && { ...record, sequence: 0 };
      },
    },
  }) as typeof store;
  const bus = createInProcessBus();
  const wentBack = (): void => undefined;
  const tasks = new LiveTasks({
    store: slow,
    bus,
    clock,
    notifier: undefined,
    wentBack,
    areAllHeard: () => true,
  });
  const first = await tasks.open("t");
  const refreshed = first?.live.refresh();
  first?.release();
  const second = await tasks.open("t");
  answer.resolve();
  await expect(refreshed).rejects.toThrow(LogWentBack);
  expect(second?.live).not.toBe(first?.live);
  expect(tasks.peek("t")).toBe(second?.live);
  tasks.close();
});
