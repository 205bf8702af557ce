import { assertEqual, assertRefused, countOutcomes } from "../assert.js";
import { claimQueues, pushConfig } from "./queue-samples.js";
import {
  ada,
  agent,
  all,
  appendNext,
  bob,
  changeState,
  chunk,
  createTask,
  creation,
  leaseMs,
  nodeInfo,
  range,
  recordOf,
  scopeOf,
} from "./samples.js";
import { snapshot } from "./snapshot.js";
import type { StoreStatements } from "./store-bench.js";

export const durabilityCases: StoreStatements = {
  "everything is there after reopening": async ({ store, reopen }) => {
    const claim = { key: "k1", requestHash: "hash", expiresAt: 99_999 };
    const checkpoint = { id: "t1", status: { state: "TASK_STATE_WORKING" } } as const;
    await store.saveReply(scopeOf(bob), claim, { messageId: "m1", role: "ROLE_AGENT", parts: [] });
    await store.renewNode("alive", leaseMs, { ...nodeInfo, address: "10.0.0.1:80" });
    await store.setDraining("alive", true);
    await createTask(store, "t1", {}, { node: "alive", messageIds: ["m1"], idempotency: claim });
    await appendNext(store, "t1", { checkpoint, events: [chunk("a"), chunk("b")] });
    await store.savePushConfig(pushConfig("t1", "c1", { dialect: "0.3" }));
    await appendNext(store, "t1", { events: range(3).map(() => chunk()), notifyAt: 1000 });
    const buried = { sequences: [4], reason: "gone" };
    await store.settleQueue({ taskId: "t1", configId: "c1", buried });
    await claimQueues(store, { now: 1000, until: 2000 });
    await createTask(store, "t2", { owner: bob });
    await changeState(store, "t2", "TASK_STATE_COMPLETED", 2000);
    await createTask(store, "t3", { state: "TASK_STATE_REJECTED", at: 500 });
    await store.deleteEnded(501, all);

    const names = { tasks: ["t1", "t2", "t3"], messages: ["m1"], keys: ["k1"] };
    const before = await snapshot(store, names);
    const again = await reopen();
    assertEqual(await snapshot(again, names), before, "what can be seen after reopening");
    assertEqual(await again.claimAbandoned(agent, "n2", all), [], "the abandoned within the lease");
    assertEqual(await again.isLive("alive"), true, "whether the node is alive");
    assertEqual(await again.nextDeliveryAt(agent), 2000, "when the claimed delivery is due again");
    for (const state of ["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"] as const) {
      const { totalSize } = await again.list({ agent, state, limit: 1 });
      assertEqual(totalSize, 1, `the total of ${state}`);
    }
  },

  "a log goes on after reopening where it ended": async ({ store, reopen }) => {
    await createTask(store, "t1");
    await store.claim({ taskId: "t1", node: "n1", epoch: 1 });
    await appendNext(store, "t1");
    const again = await reopen();
    const next = { taskId: "t1", expectedSequence: 2, events: [chunk()] };
    const stale = again.append({ ...next, epoch: 1 });
    await assertRefused(stale, "CONCURRENT_MODIFICATION", "an append under the old epoch");
    await again.append({ ...next, epoch: 2 });
    await changeState(again, "t1", "TASK_STATE_COMPLETED", 2000);
    assertEqual((await recordOf(again, "t1")).sequence, 4, "the sequence");
    const log = await again.read("t1", 0, all);
    assertEqual(
      log.map(({ sequence }) => sequence),
      [1, 2, 3, 4],
      "the sequences of the log",
    );
  },

  "what was acknowledged before closing is there after reopening": async ({ store, reopen }) => {
    const appends = range(100).map((number) => store.append(creation(`t${number}`)));
    const counts = await countOutcomes([...appends, store.close()]);
    const again = await reopen();
    const { totalSize } = await again.list({ owner: ada, agent, limit: 1 });
    assertEqual([counts, totalSize], [{ ok: 101 }, 100], "the outcomes and the total");
  },
};
