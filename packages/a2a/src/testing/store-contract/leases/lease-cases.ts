import { assertEqual, assertRefused } from "../../assert.js";
import {
  agent,
  appendNext,
  changeState,
  chunk,
  createTask,
  leaseMs,
  nodeInfo,
  recordOf,
  storedStates,
  terminalStates,
} from "../samples.js";
import type { StoreStatements } from "../store-bench.js";

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
    await store.renewNode("n1", leaseMs, nodeInfo);
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
};
