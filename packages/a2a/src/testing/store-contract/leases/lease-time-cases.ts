import { assert, assertEqual } from "../../assert.js";
import { claimAll } from "./abandoned-cases.js";
import {
  agent,
  all,
  appendNext,
  changeState,
  createTask,
  creation,
  leaseMs,
  nodeInfo,
  recordOf,
} from "../samples.js";
import type { StoreStatements } from "../store-bench.js";

/** Statements about the store's time. Times are far apart, so that they hold while the time goes on by itself, too. */
export const leaseTimeCases: StoreStatements = {
  "a lease is over when its time has passed": async ({ store, another, advance }) => {
    await store.renewNode("n1", leaseMs, nodeInfo);
    await createTask(store, "t1", {}, { node: "n1" });
    await advance(leaseMs / 2);
    assertEqual(await store.isLive("n1"), true, "whether the node is alive");
    assertEqual(await claimAll(store, "n2"), [], "the abandoned tasks");
    await advance(leaseMs / 2);
    assertEqual(
      [await store.isLive("n1"), await (await another()).isLive("n1")],
      [false, false],
      "it",
    );
    assertEqual(await claimAll(store, "n3"), ["t1"], "the abandoned tasks then");
  },

  "a node that renews its lease keeps all its tasks": async ({ store, another, advance }) => {
    await store.renewNode("n1", leaseMs, nodeInfo);
    for (const taskId of ["t1", "t2", "t3"]) await createTask(store, taskId, {}, { node: "n1" });
    for (const on of [store, await another(), store]) {
      await advance(leaseMs * 0.75);
      await on.renewNode("n1", leaseMs, nodeInfo);
    }
    assertEqual(await claimAll(store, "n2"), [], "the abandoned tasks");
    await advance(leaseMs);
    assertEqual(await claimAll(store, "n3"), ["t1", "t2", "t3"], "those after the end");
  },

  "a lease lasts as long as its last renewal says, also when that is shorter": async ({
    store,
    advance,
  }) => {
    await store.renewNode("n1", 10 * leaseMs, nodeInfo);
    await store.renewNode("n1", leaseMs, nodeInfo);
    await advance(2 * leaseMs);
    assertEqual(await store.isLive("n1"), false, "whether the node is alive");
  },

  "a node whose lease is over does not count, and may come back": async ({ store, advance }) => {
    await store.renewNode("n1", leaseMs, nodeInfo);
    await store.renewNode("n2", 10 * leaseMs, nodeInfo);
    await store.setDraining("n1", true);
    await advance(2 * leaseMs);
    const without = await store.renewNode("n2", 10 * leaseMs, nodeInfo);
    assertEqual(without.nodes, 1, "how many are alive");
    await store.renewNode("n3", 10 * leaseMs, nodeInfo);
    const { nodes, isDraining } = await store.renewNode("n1", leaseMs, nodeInfo);
    assertEqual({ nodes, isDraining }, { nodes: 3, isDraining: true }, "what it hears");
    assertEqual(await store.isLive("n1"), true, "whether it is alive");
    const slots = (await store.listNodes()).map(({ slot }) => slot);
    assertEqual(new Set(slots).size, 3, "the number of different slots");
  },

  "a task that waits for its caller is not abandoned when its node's lease is over": async ({
    store,
    advance,
  }) => {
    await store.renewNode("n1", leaseMs, nodeInfo);
    for (const taskId of ["waits", "works"]) await createTask(store, taskId, {}, { node: "n1" });
    await changeState(store, "waits", "TASK_STATE_INPUT_REQUIRED", 500);
    await advance(leaseMs);
    const claimed = await store.claimAbandoned(agent, "n2", all);
    assertEqual(claimed, [{ taskId: "works", epoch: 2, sequence: 1 }], "the abandoned tasks");
    assertEqual((await recordOf(store, "waits")).node, "n1", "the node of the one that waits");
  },

  "entries carry the store's time": async ({ store, another, advance }) => {
    const { now } = await store.renewNode("n1", leaseMs, nodeInfo);
    const times = [(await store.append(creation("t1"))).at];
    for (const on of [await another(), store]) {
      await advance(leaseMs);
      times.push((await appendNext(on, "t1")).at);
    }
    for (const [index, at] of times.entries()) {
      const past = at - now - index * leaseMs;
      assert(0 <= past && past < leaseMs / 2, `entry ${index + 1} was committed ${past} ms late`);
    }
    const log = await store.read("t1", 0, all);
    assertEqual(
      log.map(({ at }) => at),
      times,
      "the times of the log",
    );
  },
};
