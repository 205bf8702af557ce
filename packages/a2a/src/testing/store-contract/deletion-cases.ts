import type { Append, Store } from "../../store/internal.js";
import { assertEqual, assertRefused } from "../assert.js";
import { claimQueues, pushConfig, spellQueue } from "./queue-samples.js";
import {
  ada,
  agent,
  all,
  appendNext,
  changeState,
  createTask,
  range,
  recordOf,
  storedStates,
  terminalStates,
  scopeOf,
} from "./samples.js";
import { snapshot } from "./snapshot.js";
import type { StoreStatements } from "./store-bench.js";

function belongings(name: string): Partial<Append> {
  return {
    messageIds: [`${name}-message`],
    idempotency: { key: `${name}-key`, requestHash: "hash", expiresAt: 99_999 },
    pushConfig: pushConfig(name),
    notifyAt: 1000,
    checkpoint: { id: name, status: { state: "TASK_STATE_WORKING" } },
  };
}

async function createWithAll(store: Store, taskId: string): Promise<void> {
  await createTask(store, taskId, {}, belongings(taskId));
  await appendNext(store, taskId, { notifyAt: 1000 });
  const buried = { sequences: [1], reason: "gone" };
  await store.settleQueue({ taskId, configId: "c1", buried });
}

export const deletionCases: StoreStatements = {
  "tasks are deleted that ended before the moment, and no others": async ({ store }) => {
    const expected: string[] = [];
    for (const state of storedStates) {
      for (const at of [999, 1000, 1001]) {
        const taskId = `${state} ${at}`;
        await createTask(store, taskId, { state, at });
        if (at === 999 && terminalStates.includes(state)) expected.push(taskId);
      }
    }
    assertEqual(await store.deleteEnded(1000, all), expected.length, "how many were deleted");
    for (const taskId of storedStates.flatMap((state) => [`${state} 999`, `${state} 1000`])) {
      const gone = (await store.loadRecord(taskId)) === undefined;
      assertEqual(gone, expected.includes(taskId), `whether ${taskId} is gone`);
    }
    const { totalSize } = await store.list({ agent, limit: 1 });
    assertEqual(totalSize, storedStates.length * 3 - expected.length, "how many are left");
  },

  "a task that ended is deleted by when it ended, not by when it began": async ({ store }) => {
    await createTask(store, "t1", { at: 1000 });
    await changeState(store, "t1", "TASK_STATE_COMPLETED", 3000);
    assertEqual(await store.deleteEnded(3000, all), 0, "how many ended before 3000");
    assertEqual(await store.deleteEnded(3001, all), 1, "how many ended before 3001");
  },

  "tasks are deleted up to the limit": async ({ store }) => {
    const state = "TASK_STATE_COMPLETED";
    await Promise.all(range(5).map((number) => createTask(store, `t${number}`, { state })));
    const counts = [];
    for (const _ of range(4)) counts.push(await store.deleteEnded(2000, 2));
    assertEqual(counts, [2, 2, 1, 0], "how many each call deleted");
  },

  "a task is deleted with all that belongs to it, and others keep theirs": async ({ store }) => {
    const names = {
      tasks: ["stays", "goes"],
      messages: ["stays-message", "goes-message"],
      keys: ["stays-key", "goes-key", "reply"],
    };
    const claim = { key: "reply", requestHash: "hash", expiresAt: 99_999 };
    await store.saveReply(scopeOf(ada), claim, { messageId: "m1", role: "ROLE_AGENT", parts: [] });
    await createWithAll(store, "stays");
    const before = await snapshot(store, names);
    await createWithAll(store, "goes");
    await changeState(store, "goes", "TASK_STATE_COMPLETED", 2000);
    assertEqual(await store.deleteEnded(3000, all), 1, "how many were deleted");
    assertEqual(await snapshot(store, names), before, "what can be seen afterwards");
    assertEqual(await store.load("goes"), undefined, "the task");
    assertEqual(await store.read("goes", 0, all), [], "its log");
    assertEqual(
      await store.findByMessageId(scopeOf(ada), "goes-message"),
      undefined,
      "its message",
    );
    const result = await store.loadIdempotentResult(scopeOf(ada), "goes-key", 0);
    assertEqual(result, undefined, "the result of its key");
    assertEqual(await store.loadPushConfig("goes", "c1"), undefined, "its configuration");
    const key = { taskId: "goes", configId: "c1", sequence: 1 };
    assertEqual(await store.reviveDelivery(key, 2000), false, "whether its buried one is revived");
    const due = await claimQueues(store, { now: 9000, until: 9999 });
    assertEqual(due.map(spellQueue), ["stays c1 2"], "what is due");
  },

  "a deleted task refuses appends and claims": async ({ store }) => {
    await createTask(store, "t1", { state: "TASK_STATE_COMPLETED" });
    await store.deleteEnded(2000, all);
    const append = store.append({ taskId: "t1", expectedSequence: 1, epoch: 1, events: [] });
    await assertRefused(append, "CONCURRENT_MODIFICATION", "an append to it");
    assertEqual(await store.claim({ taskId: "t1", node: "n1", epoch: 1 }), undefined, "a claim");
  },

  "a key that another task took meanwhile is not deleted with its first task": async ({
    store,
  }) => {
    const idempotency = { key: "k1", requestHash: "hash", expiresAt: 1500 };
    await createTask(store, "first", {}, { idempotency });
    await store.deleteExpiredKeys(2000, all);
    await createTask(store, "second", {}, { idempotency: { ...idempotency, expiresAt: 9000 } });
    await changeState(store, "first", "TASK_STATE_COMPLETED", 2000);
    assertEqual(await store.deleteEnded(3000, all), 1, "how many were deleted");
    const result = await store.loadIdempotentResult(scopeOf(ada), "k1", 4000);
    assertEqual(result, { requestHash: "hash", taskId: "second" }, "the result of the key");
  },

  "the ids of a deleted task are free again": async ({ store }) => {
    await createWithAll(store, "t1");
    await appendNext(store, "t1");
    await changeState(store, "t1", "TASK_STATE_COMPLETED", 2000);
    await store.deleteEnded(3000, all);
    await createTask(store, "t1", {}, belongings("t1"));
    assertEqual((await recordOf(store, "t1")).sequence, 1, "the sequence of the new task");
    assertEqual((await store.read("t1", 0, all)).length, 1, "the length of its log");
    assertEqual(
      await store.findByMessageId(scopeOf(ada), "t1-message"),
      "t1",
      "the task of the message",
    );
    const due = await claimQueues(store, { now: 9000, until: 9999 });
    assertEqual(due.map(spellQueue), ["t1 c1 1"], "what is due");
  },
};
