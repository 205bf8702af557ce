import { assertEqual } from "../assert.js";
import { ada, agent, all, appendNext, bob, changeState, chunk, createTask } from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

export const usageCases: StoreStatements = {
  "one who has no tasks uses nothing": async ({ store }) => {
    assertEqual(await store.loadUsage(ada.subject, agent), { tasks: 0, bytes: 0 }, "the usage");
  },

  "usage counts a subject's tasks with an agent, whatever their states and tenants": async ({
    store,
  }) => {
    await createTask(store, "t1", {}, { bytes: 100 });
    await createTask(store, "t2", { state: "TASK_STATE_COMPLETED" }, { bytes: 20 });
    await createTask(store, "t3", {});
    await createTask(store, "t4", { owner: bob }, { bytes: 1000 });
    await createTask(store, "t5", { agent: "weather" }, { bytes: 10_000 });
    await createTask(store, "t6", { owner: { ...ada, tenant: "other" } }, { bytes: 100_000 });
    assertEqual(
      await store.loadUsage(ada.subject, agent),
      { tasks: 4, bytes: 100_120 },
      "ada's usage",
    );
    assertEqual(
      await store.loadUsage(bob.subject, agent),
      { tasks: 1, bytes: 1000 },
      "bob's usage",
    );
  },

  "a task weighs what its last append said, also when its state changes": async ({ store }) => {
    await createTask(store, "t1", {}, { bytes: 10 });
    await appendNext(store, "t1", { bytes: 500 });
    assertEqual(
      await store.loadUsage(ada.subject, agent),
      { tasks: 1, bytes: 500 },
      "after it grew",
    );
    await appendNext(store, "t1", { events: [chunk()] });
    await changeState(store, "t1", "TASK_STATE_INPUT_REQUIRED", 2000);
    assertEqual(await store.loadUsage(ada.subject, agent), { tasks: 1, bytes: 500 }, "as it was");
    await appendNext(store, "t1", {
      status: { state: "TASK_STATE_COMPLETED", at: 3000 },
      bytes: 40,
    });
    assertEqual(
      await store.loadUsage(ada.subject, agent),
      { tasks: 1, bytes: 40 },
      "after it shrank",
    );
  },

  "what is refused weighs nothing": async ({ store }) => {
    await createTask(store, "t1", {}, { bytes: 10 });
    await createTask(store, "t1", {}, { bytes: 10 }).catch(() => undefined);
    await appendNext(store, "t1", { bytes: 99, expectedSequence: 7 }).catch(() => undefined);
    assertEqual(await store.loadUsage(ada.subject, agent), { tasks: 1, bytes: 10 }, "the usage");
  },

  "what was deleted is used no more, and other nodes see so": async ({ store, another }) => {
    await createTask(store, "t1", { state: "TASK_STATE_COMPLETED", at: 1 }, { bytes: 10 });
    await createTask(store, "t2", { at: 1 }, { bytes: 5 });
    const other = await another();
    assertEqual(await other.loadUsage(ada.subject, agent), { tasks: 2, bytes: 15 }, "before");
    await store.deleteEnded(100, all);
    assertEqual(await other.loadUsage(ada.subject, agent), { tasks: 1, bytes: 5 }, "after");
    await changeState(store, "t2", "TASK_STATE_COMPLETED", 2);
    await store.deleteEnded(100, all);
    assertEqual(await other.loadUsage(ada.subject, agent), { tasks: 0, bytes: 0 }, "at the end");
  },
};
