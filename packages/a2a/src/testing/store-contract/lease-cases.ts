import { assertEqual, assertRefused } from "../assert.js";
import {
  agent,
  all,
  appendNext,
  changeState,
  chunk,
  createTask,
  range,
  recordOf,
  storedStates,
  terminalStates,
} from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

export const leaseCases: StoreStatements = {
  "a claim raises the epoch by one, puts the task under the node, and changes nothing else":
    async ({ store }) => {
      await createTask(store, "t1", {}, { node: "n1", epoch: 4 });
      const before = await store.load("t1");
      assertEqual(await store.claim({ taskId: "t1", node: "n2", epoch: 4 }), 5, "the new epoch");
      const after = await store.load("t1");
      const record = { ...before?.record, node: "n2", epoch: 5 };
      assertEqual(after, { ...before, record }, "the task");
      assertEqual(await store.claim({ taskId: "t1", node: "n2", epoch: 5 }), 6, "the next epoch");
    },

  "a claim takes a task from a node that is alive": async ({ store }) => {
    await store.renewNode("n1", 9000);
    await createTask(store, "t1", {}, { node: "n1" });
    assertEqual(await store.claim({ taskId: "t1", node: "n2", epoch: 1 }), 2, "the new epoch");
  },

  "after a claim only the claimer can write": async ({ store }) => {
    await createTask(store, "t1", {}, { node: "n1" });
    const epoch = await store.claim({ taskId: "t1", node: "n2", epoch: 1 });
    assertEqual(epoch, 2, "the new epoch");
    const next = { taskId: "t1", expectedSequence: 1, events: [chunk()] };
    const stale = store.append({ ...next, epoch: 1 });
    await assertRefused(stale, "CONCURRENT_MODIFICATION", "an append under the old epoch");
    await store.append({ ...next, epoch: 2 });
    const later = store.append({ ...next, expectedSequence: 2, epoch: 1 });
    await assertRefused(later, "CONCURRENT_MODIFICATION", "a later one under the old epoch");
    assertEqual((await recordOf(store, "t1")).sequence, 2, "the sequence");
  },

  "a claim under another epoch, or of no task, fails without effect": async ({ store }) => {
    await createTask(store, "t1", {}, { node: "n1", epoch: 5 });
    const before = await store.load("t1");
    for (const epoch of [0, 4, 6]) {
      const claimed = await store.claim({ taskId: "t1", node: "n2", epoch });
      assertEqual(claimed, undefined, `a claim under epoch ${epoch}, not 5`);
    }
    const unknown = await store.claim({ taskId: "unknown", node: "n2", epoch: 1 });
    assertEqual(unknown, undefined, "a claim of an unknown task");
    assertEqual(await store.load("t1"), before, "the task");
    assertEqual(await store.load("unknown"), undefined, "the unknown task");
  },

  "a claim that names the last entry fails when the log has grown": async ({ store }) => {
    await createTask(store, "t1", {}, { node: "n1" });
    const claim = { taskId: "t1", node: "n2", epoch: 1, sequence: 1 };
    await appendNext(store, "t1");
    assertEqual(await store.claim(claim), undefined, "a claim after one more entry");
    assertEqual((await recordOf(store, "t1")).node, "n1", "the node");
    assertEqual(await store.claim({ ...claim, sequence: 3 }), undefined, "a claim ahead of it");
    assertEqual(await store.claim({ ...claim, sequence: 2 }), 2, "the new epoch");
  },

  "a task that has ended cannot be claimed": async ({ store }) => {
    for (const state of terminalStates) {
      await createTask(store, state, { state });
      const before = await store.load(state);
      const claimed = await store.claim({ taskId: state, node: "n2", epoch: 1 });
      assertEqual(claimed, undefined, `a claim of a task in ${state}`);
      assertEqual(await store.load(state), before, "the task");
    }
  },

  "a task is abandoned while it should be worked on and no live node does": async ({ store }) => {
    await store.renewNode("alive", 2000);
    await store.renewNode("expired", 1000);
    await store.renewNode("released", 2000);
    await store.releaseNode("released");
    const abandoned: string[] = [];
    for (const state of storedStates) {
      for (const node of ["alive", "expired", "released", "unknown", null]) {
        const taskId = `${state} ${node}`;
        await createTask(store, taskId, { state }, { node });
        const active = state === "TASK_STATE_SUBMITTED" || state === "TASK_STATE_WORKING";
        if (active && node !== "alive") abandoned.push(taskId);
      }
    }
    const found = await store.findAbandoned(agent, 1500, all);
    assertEqual(found.toSorted(), abandoned.toSorted(), "the abandoned tasks");
  },

  "a lease is over at the moment it ends": async ({ store }) => {
    await store.renewNode("n1", 2000);
    await createTask(store, "t1", {}, { node: "n1" });
    assertEqual(await store.findAbandoned(agent, 1999, all), [], "the abandoned just before");
    assertEqual(await store.findAbandoned(agent, 2000, all), ["t1"], "the abandoned at the end");
  },

  "a node that renews its lease keeps all its tasks": async ({ store }) => {
    await store.renewNode("n1", 2000);
    await Promise.all(
      range(5).map((number) => createTask(store, `t${number}`, {}, { node: "n1" })),
    );
    await store.renewNode("n1", 3000);
    assertEqual(await store.findAbandoned(agent, 2500, all), [], "the abandoned tasks");
    assertEqual((await store.findAbandoned(agent, 3000, all)).length, 5, "those after the end");
  },

  "the tasks of a released node are abandoned at once, and no longer when it is back": async ({
    store,
  }) => {
    await store.renewNode("n1", 9000);
    await store.renewNode("n2", 9000);
    await createTask(store, "t1", {}, { node: "n1" });
    await createTask(store, "t2", {}, { node: "n2" });
    await store.releaseNode("n1");
    await store.releaseNode("unknown");
    assertEqual(await store.findAbandoned(agent, 1000, all), ["t1"], "the abandoned tasks");
    await store.renewNode("n1", 9000);
    assertEqual(await store.findAbandoned(agent, 1000, all), [], "the abandoned tasks afterwards");
  },

  "a task stops being abandoned when a live node claims it, or it waits, or it ends": async ({
    store,
  }) => {
    await store.renewNode("alive", 9000);
    for (const taskId of ["t1", "t2", "t3", "t4"]) await createTask(store, taskId);
    await store.claim({ taskId: "t1", node: "alive", epoch: 1 });
    await changeState(store, "t2", "TASK_STATE_INPUT_REQUIRED", 2000);
    await changeState(store, "t3", "TASK_STATE_COMPLETED", 2000);
    await appendNext(store, "t4", { node: "alive" });
    assertEqual(await store.findAbandoned(agent, 1000, all), [], "the abandoned tasks");
    await changeState(store, "t2", "TASK_STATE_WORKING", 3000);
    await appendNext(store, "t4", { node: null });
    const found = await store.findAbandoned(agent, 1000, all);
    assertEqual(found.toSorted(), ["t2", "t4"], "those that are to be worked on again");
  },

  "abandoned tasks are found by agent, up to the limit": async ({ store }) => {
    for (const number of range(5)) await createTask(store, `t${number}`);
    await createTask(store, "other", { agent: "weather" });
    assertEqual(await store.findAbandoned("weather", 1000, all), ["other"], "another agent's");
    assertEqual(await store.findAbandoned("nobody", 1000, all), [], "an unknown agent's");
    const found = await store.findAbandoned(agent, 1000, 3);
    assertEqual(new Set(found).size, 3, "the number of different tasks found");
  },

  "a task that waits for its caller is not abandoned when its node dies, and can be claimed":
    async ({ store }) => {
      await store.renewNode("dead", 1000);
      for (const state of ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"] as const) {
        await createTask(store, state, {}, { node: "dead", epoch: 3 });
        await changeState(store, state, state, 500);
        assertEqual((await recordOf(store, state)).node, "dead", "the node of the waiting task");
        assertEqual(await store.findAbandoned(agent, 2000, all), [], `the abandoned in ${state}`);
        const claim = { taskId: state, node: "alive", epoch: 3, sequence: 2 };
        assertEqual(await store.claim({ ...claim, sequence: 1 }), undefined, "a claim too early");
        assertEqual(await store.claim({ ...claim, epoch: 2 }), undefined, "a claim out of date");
        assertEqual(await store.claim(claim), 4, "the new epoch");
        const { node, sequence, state: stands } = await recordOf(store, state);
        assertEqual(
          { node, sequence, stands },
          { node: "alive", sequence: 2, stands: state },
          "it",
        );
        await changeState(store, state, "TASK_STATE_WORKING", 600);
        assertEqual(await store.findAbandoned(agent, 2000, all), [state], "those answered");
        await changeState(store, state, "TASK_STATE_COMPLETED", 700);
      }
    },

  "a node holds the active tasks that name it": async ({ store, another }) => {
    for (const state of storedStates) {
      for (const node of ["n1", "n2", null]) {
        await createTask(store, `${state} ${node}`, { state }, { node });
      }
    }
    const held = ["TASK_STATE_SUBMITTED n1", "TASK_STATE_WORKING n1"];
    assertEqual((await store.listHeld(agent, "n1")).toSorted(), held, "the held tasks");
    const seen = await (await another()).listHeld(agent, "n1");
    assertEqual(seen.toSorted(), held, "those that another node sees");
    assertEqual(await store.listHeld(agent, "nobody"), [], "those of an unknown node");
    assertEqual(await store.listHeld("another agent", "n1"), [], "those of another agent");
  },

  "what a node holds follows appends, claims and the end of tasks": async ({ store }) => {
    const held = async (node: string): Promise<readonly string[]> =>
      (await store.listHeld(agent, node)).toSorted();
    for (const taskId of ["t1", "t2", "t3", "t4"])
      await createTask(store, taskId, {}, { node: "n1" });
    await changeState(store, "t1", "TASK_STATE_INPUT_REQUIRED", 2000);
    await store.claim({ taskId: "t2", node: "n2", epoch: 1 });
    await changeState(store, "t3", "TASK_STATE_FAILED", 2000);
    assertEqual(await held("n1"), ["t4"], "the held tasks");
    assertEqual(await held("n2"), ["t2"], "those of the claimer");
    await appendNext(store, "t4", { node: null });
    await appendNext(store, "t2", { node: "n1" });
    await changeState(store, "t1", "TASK_STATE_WORKING", 3000);
    assertEqual(await held("n1"), ["t1", "t2"], "the held tasks afterwards");
    assertEqual(await held("n2"), [], "those of the claimer afterwards");
    await store.releaseNode("n1");
    assertEqual(await held("n1"), ["t1", "t2"], "those after the release");
  },

  "tells when the lease of a node ends": async ({ store, another }) => {
    assertEqual(await store.leaseOf("n1"), undefined, "the lease of an unknown node");
    await store.renewNode("n1", 1000);
    await store.renewNode("n1", 2000);
    assertEqual(await store.leaseOf("n1"), 2000, "the end of the lease");
    assertEqual(await (await another()).leaseOf("n1"), 2000, "the end that another node sees");
    await store.releaseNode("n1");
    assertEqual(await store.leaseOf("n1"), undefined, "the lease after its release");
  },
};
