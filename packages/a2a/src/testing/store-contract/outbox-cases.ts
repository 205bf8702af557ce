import type { Append, Store } from "../../store/internal.js";
import { assertEqual } from "../assert.js";
import { claimQueues, createQueue, pushConfig, spellQueue } from "./queue-samples.js";
import {
  agent,
  all,
  appendNext,
  chunk,
  createTask,
  creation,
  messageAdded,
  range,
  statusChanged,
} from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

const t1 = { taskId: "t1", configId: "c1" };

async function bury(
  store: Store,
  sequences: readonly number[],
  { reason = "gone", queue = t1 } = {},
): Promise<void> {
  await store.settleQueue({ ...queue, buried: { sequences, reason } });
}

async function release(store: Store, dueAt: number, node = "n1"): Promise<void> {
  await store.settleQueue({ ...t1, release: { node, dueAt } });
}

export const outboxCases: StoreStatements = {
  "a notification is queued with its event, and due from the moment that is named": async ({
    store,
  }) => {
    assertEqual(await store.nextDeliveryAt(agent), undefined, "when the next of none is due");
    assertEqual(await claimQueues(store, { now: 9000, until: 9999 }), [], "what is due of none");
    const append = creation("t1", {}, { pushConfig: pushConfig("t1"), notifyAt: 1000 });
    assertEqual((await store.append(append)).queued, 1, "how many were queued");
    assertEqual(await store.nextDeliveryAt(agent), 1000, "when the next is due");
    assertEqual(await claimQueues(store, { now: 999, until: 2000 }), [], "what is due before");
    const [claimed] = await claimQueues(store, { now: 1000, until: 2000 });
    const deliveries = [{ sequence: 1, queuedAt: 1000 }];
    const expected = { ...t1, host: "a.example", attempts: 0, deliveries };
    assertEqual(claimed, expected, "what is due");
  },

  "nobody is notified without a moment, a configuration, or an event to tell of": async ({
    store,
  }) => {
    await createTask(store, "t1", {}, { pushConfig: pushConfig("t1") });
    await createTask(store, "t2");
    const queued = async (taskId: string, more?: Partial<Append>): Promise<number> =>
      (await appendNext(store, taskId, more)).queued;
    assertEqual(await queued("t1"), 0, "how many without a moment");
    assertEqual(await queued("t2", { notifyAt: 1000 }), 0, "how many hear of nobody's");
    const events = [messageAdded("m1"), { kind: "cancel-requested" } as const];
    assertEqual(await queued("t1", { events, notifyAt: 1000 }), 0, "how many of these");
    assertEqual(await store.nextDeliveryAt(agent), undefined, "when the next is due");
  },

  "each configuration hears of as much as it wants": async ({ store }) => {
    await createTask(store, "t1");
    for (const detail of ["status", "artifacts", "chunks"] as const) {
      await store.savePushConfig(pushConfig("t1", detail, { detail }));
    }
    const last = { ...chunk(), lastChunk: true };
    const { append: _, ...whole } = chunk();
    const status = statusChanged("TASK_STATE_WORKING");
    const events = [whole, chunk(), status, chunk(), last, messageAdded("m1")];
    const { queued } = await appendNext(store, "t1", { events, notifyAt: 1000 });
    assertEqual(queued, 9, "how many in all");
    const due = (await claimQueues(store, { now: 1000, until: 2000 })).map(spellQueue);
    const expected = ["t1 artifacts 2,4,6", "t1 chunks 2,3,4,5,6", "t1 status 4"];
    assertEqual(due, expected, "what each hears of");
  },

  "a queue is claimed with its first deliveries, and nothing of it is due meanwhile": async ({
    store,
  }) => {
    await createQueue(store, "t1", { length: 3 });
    const claim = { now: 1000, until: 2000, ahead: 2 };
    assertEqual((await claimQueues(store, claim)).map(spellQueue), ["t1 c1 1,2"], "the claimed");
    await appendNext(store, "t1", { notifyAt: 1000 });
    assertEqual(await claimQueues(store, claim), [], "what is due while it is claimed");
    await store.settleQueue({ ...t1, arrived: [1, 2] });
    assertEqual(await store.nextDeliveryAt(agent), 2000, "when it is due after two have arrived");
    assertEqual(await claimQueues(store, claim), [], "what is due then");
    await release(store, 1500);
    const next = await claimQueues(store, { now: 1500, until: 2000 });
    assertEqual(next.map(spellQueue), ["t1 c1 3,4"], "what is due after the claim has ended");
    await store.settleQueue({ ...t1, arrived: [3, 4] });
    assertEqual(await store.nextDeliveryAt(agent), undefined, "when the next is due after all");
    await appendNext(store, "t1", { notifyAt: 3000 });
    assertEqual(await store.nextDeliveryAt(agent), 3000, "when one more is due");
    assertEqual((await claimQueues(store, { now: 3000, until: 4000 })).length, 1, "what is due");
  },

  "queues do not wait for each other, and those due longest come first": async ({ store }) => {
    for (const [index, taskId] of ["late", "early", "middle"].entries()) {
      await createTask(store, taskId, {}, { pushConfig: pushConfig(taskId) });
      await appendNext(store, taskId, { notifyAt: [3000, 1000, 2000][index] ?? 0 });
    }
    const claims = [];
    for (const _ of range(4)) {
      const claimed = await claimQueues(store, { now: 3000, until: 9000, limit: 1 });
      claims.push(...claimed.map(({ taskId }) => taskId));
    }
    assertEqual(claims, ["early", "middle", "late"], "the order in which they were claimed");
  },

  "a claim takes no more queues of a host than it may": async ({ store }) => {
    for (const number of range(6)) await createQueue(store, `slow${number}`, { host: "slow" });
    for (const number of range(3)) await createQueue(store, `fast${number}`, { host: "fast" });
    const claim = { now: 1000, until: 2000, limit: 4, perHost: 2 };
    const first = await claimQueues(store, { ...claim, taken: new Map([["slow", 1]]) });
    assertEqual(
      first.map(({ host }) => host).toSorted(),
      ["fast", "fast", "slow"],
      "whose queues are claimed while one of the slow is taken",
    );
    const taken = new Map([
      ["slow", 2],
      ["fast", 1],
    ]);
    const second = await claimQueues(store, { ...claim, taken });
    assertEqual(
      second.map(({ host }) => host),
      ["fast"],
      "whose are claimed next",
    );
    const rest = await claimQueues(store, { ...claim, limit: all, perHost: all });
    assertEqual(rest.length, 5, "how many are left");
  },

  "a claim is for one agent's tasks": async ({ store }) => {
    await createTask(
      store,
      "t1",
      { agent: "other" },
      { pushConfig: pushConfig("t1"), notifyAt: 9 },
    );
    assertEqual(await store.nextDeliveryAt(agent), undefined, "when the agent's next is due");
    assertEqual(await claimQueues(store, { now: 1000, until: 2000 }), [], "what it claims");
    assertEqual(await store.countDeliveries(agent), { waiting: 0, buried: 0 }, "how many it has");
    await bury(store, [1]);
    assertEqual(await store.listBuried({ agent, limit: all }), [], "its buried ones");
    assertEqual((await store.listBuried({ agent: "other", limit: all })).length, 1, "the other's");
  },

  "a claim ends at its moment, and was an attempt at the first": async ({ store }) => {
    await createQueue(store, "t1", { length: 2 });
    await claimQueues(store, { now: 1000, until: 2000 });
    assertEqual(await claimQueues(store, { now: 1999, until: 5000 }), [], "what is due before");
    const [again] = await claimQueues(store, { now: 2000, until: 3000 });
    assertEqual(again?.attempts, 1, "the attempts at the end of the claim");
    const [third] = await claimQueues(store, { now: 3000, until: 4000 });
    assertEqual(third?.attempts, 2, "the attempts at the end of the second");
    await store.settleQueue({ ...t1, arrived: [1] });
    const [next] = await claimQueues(store, { now: 4000, until: 5000 });
    assertEqual(
      [next?.attempts, next && spellQueue(next)],
      [0, "t1 c1 2"],
      "those at the next one",
    );
  },

  "a claim is ended by the node that has it": async ({ store }) => {
    await createQueue(store, "t1");
    await claimQueues(store, { node: "n1", now: 1000, until: 2000 });
    await release(store, 1500, "n2");
    assertEqual(await store.nextDeliveryAt(agent), 2000, "when it is due after another's word");
    await claimQueues(store, { node: "n2", now: 2000, until: 4000 });
    await release(store, 1500, "n1");
    assertEqual(await store.nextDeliveryAt(agent), 4000, "when it is due after the late one's");
    await release(store, 5000, "n2");
    assertEqual(await store.nextDeliveryAt(agent), 5000, "when it is due after the holder's");
    await release(store, 6000, "n2");
    assertEqual(await store.nextDeliveryAt(agent), 5000, "when it is due once nobody has it");
    const [due] = await claimQueues(store, { now: 5000, until: 6000 });
    assertEqual(due?.attempts, 2, "the attempts");
  },

  "what arrived after its claim ended is gone": async ({ store }) => {
    await createQueue(store, "t1", { length: 2 });
    await claimQueues(store, { now: 1000, until: 2000 });
    await claimQueues(store, { node: "n2", now: 2000, until: 3000 });
    for (const _ of range(2)) await store.settleQueue({ ...t1, arrived: [1] });
    const due = await claimQueues(store, { now: 3000, until: 4000 });
    assertEqual(due.map(spellQueue), ["t1 c1 2"], "what is due");
  },

  "a buried delivery is listed with its reason and lets what follows pass": async ({ store }) => {
    await createQueue(store, "t1", { length: 2 });
    await claimQueues(store, { now: 1000, until: 2000 });
    await store.settleQueue({
      ...t1,
      buried: { sequences: [1], reason: `answered 410 "gone"` },
      release: { node: "n1", dueAt: 1100 },
    });
    const buried = await store.listBuried({ agent, limit: all });
    assertEqual(buried, [{ ...t1, sequence: 1, reason: `answered 410 "gone"` }], "the buried");
    assertEqual(
      await store.countDeliveries(agent),
      { waiting: 1, buried: 1 },
      "how many there are",
    );
    const [due] = await claimQueues(store, { now: 1100, until: 2000 });
    assertEqual([due?.attempts, due && spellQueue(due)], [0, "t1 c1 2"], "what is due");
    await store.settleQueue({ ...t1, arrived: [2] });
    assertEqual(await store.nextDeliveryAt(agent), undefined, "when the next is due after all");
  },

  "a buried delivery stays buried when it is buried again, and is gone when it arrives": async ({
    store,
  }) => {
    await createQueue(store, "t1");
    await bury(store, [1], { reason: "first" });
    await bury(store, [1], { reason: "second" });
    const buried = await store.listBuried({ agent, limit: all });
    assertEqual(buried, [{ ...t1, sequence: 1, reason: "first" }], "the buried ones");
    await store.settleQueue({ ...t1, arrived: [1], buried: { sequences: [1], reason: "third" } });
    assertEqual(await store.listBuried({ agent, limit: all }), [], "the buried after it arrived");
    const isRevived = await store.reviveDelivery({ ...t1, sequence: 1 }, 2000);
    assertEqual(isRevived, false, "whether it was revived");
  },

  "buried deliveries are listed page by page": async ({ store }) => {
    await createQueue(store, "t1", { length: 3 });
    await createQueue(store, "t2", { length: 2, configId: "c2" });
    await bury(store, [1, 3]);
    await bury(store, [1, 2], { queue: { taskId: "t2", configId: "c2" } });
    const whole = await store.listBuried({ agent, limit: all });
    assertEqual(whole.length, 4, "how many there are");
    for (const [index, { reason: _, ...after }] of whole.entries()) {
      const page = await store.listBuried({ agent, after, limit: 2 });
      assertEqual(page, whole.slice(index + 1, index + 3), `the page after ${index + 1}`);
    }
  },

  "a revived delivery is due at once, in its place and as if never tried": async ({ store }) => {
    await createQueue(store, "t1", { length: 3 });
    for (const now of [1000, 2000]) await claimQueues(store, { now, until: now + 1000 });
    await bury(store, [1]);
    await claimQueues(store, { now: 3000, until: 4000 });
    await release(store, 90_000);
    const key = { ...t1, sequence: 1 };
    assertEqual(await store.reviveDelivery(key, 5000), true, "whether it was revived");
    assertEqual(await store.reviveDelivery(key, 5000), false, "whether it was revived again");
    assertEqual(
      await store.countDeliveries(agent),
      { waiting: 3, buried: 0 },
      "how many there are",
    );
    assertEqual(await store.nextDeliveryAt(agent), 5000, "when it is due");
    const [due] = await claimQueues(store, { now: 5000, until: 6000 });
    assertEqual([due?.attempts, due && spellQueue(due)], [0, "t1 c1 1,2,3"], "what is due");
    assertEqual(due?.deliveries[0]?.queuedAt, 5000, "since when it waits");
  },

  "a delivery revived while its queue is claimed waits until the claim ends": async ({ store }) => {
    await createQueue(store, "t1", { length: 2 });
    await bury(store, [1]);
    await claimQueues(store, { now: 1000, until: 2000 });
    await store.reviveDelivery({ ...t1, sequence: 1 }, 1500);
    assertEqual(await store.nextDeliveryAt(agent), 2000, "when it is due");
    await store.settleQueue({ ...t1, arrived: [2], release: { node: "n1", dueAt: 1600 } });
    const due = await claimQueues(store, { now: 1600, until: 3000 });
    assertEqual(due.map(spellQueue), ["t1 c1 1"], "what is due after it");
  },

  "a delivery revived into an empty queue is due at once": async ({ store }) => {
    await createQueue(store, "t1");
    await claimQueues(store, { now: 1000, until: 2000 });
    await bury(store, [1]);
    assertEqual(await store.nextDeliveryAt(agent), undefined, "when the next is due");
    await store.reviveDelivery({ ...t1, sequence: 1 }, 1500);
    const [due] = await claimQueues(store, { now: 1500, until: 2000 });
    assertEqual(due?.attempts, 0, "the attempts at it");
  },

  "naming a delivery or a queue that is not there has no effect": async ({ store }) => {
    await createQueue(store, "t1");
    const unknown = [
      { ...t1, taskId: "t2" },
      { ...t1, configId: "c2" },
    ];
    for (const queue of unknown) {
      const buried = { sequences: [1], reason: "gone" };
      const ended = { node: "n1", dueAt: 9000 };
      await store.settleQueue({ ...queue, arrived: [1], buried, release: ended });
      assertEqual(await store.reviveDelivery({ ...queue, sequence: 1 }, 9), false, "the revived");
    }
    await store.settleQueue({ ...t1, arrived: [2], buried: { sequences: [3], reason: "gone" } });
    assertEqual(await store.reviveDelivery({ ...t1, sequence: 1 }, 9), false, "one that waits");
    assertEqual(
      await store.countDeliveries(agent),
      { waiting: 1, buried: 0 },
      "how many there are",
    );
    assertEqual(await store.nextDeliveryAt(agent), 1000, "when it is due");
  },
};
