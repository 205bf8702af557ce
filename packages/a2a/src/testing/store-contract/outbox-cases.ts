import type { Delivery, DeliveryKey, Store } from "../../store/index.js";
import { assertEqual } from "../assert.js";
import { all, appendNext, createTask, range } from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

/** Creates a task with deliveries of these sequences to one configuration. */
async function createDeliveries(
  store: Store,
  taskId: string,
  sequences: readonly number[],
  configId = "c1",
): Promise<void> {
  await createTask(
    store,
    taskId,
    {},
    {
      deliveries: sequences.map((sequence) => ({ configId, sequence })),
    },
  );
}

async function claim(store: Store, now: number, until: number, limit = all): Promise<Delivery[]> {
  const claimed = await store.claimDeliveries({ node: "n1", now, until, limit });
  return claimed.toSorted((a, b) => (spell(a) < spell(b) ? -1 : 1));
}

function spell({ taskId, configId, sequence }: DeliveryKey): string {
  return `${taskId} ${configId} ${sequence}`;
}

const keyOf = (sequence: number, taskId = "t1", configId = "c1"): DeliveryKey => ({
  taskId,
  configId,
  sequence,
});

export const outboxCases: StoreStatements = {
  "a delivery is due at once, and claimed with what it is about": async ({ store }) => {
    assertEqual(await store.nextDeliveryAt(), undefined, "when the next of none is due");
    assertEqual(await claim(store, 1000, 2000), [], "what is due of none");
    await createTask(store, "t1", {}, { deliveries: [{ configId: "c1", sequence: 1 }] });
    assertEqual(await store.nextDeliveryAt(), 0, "when the next is due");
    assertEqual(await claim(store, 1000, 2000), [{ ...keyOf(1), attempts: 0 }], "what is due");
  },

  "deliveries of one task and configuration are due one after the other": async ({ store }) => {
    await createDeliveries(store, "t1", [2, 1]);
    await appendNext(store, "t1", { deliveries: [{ configId: "c1", sequence: 3 }] });
    for (const sequence of [1, 2, 3]) {
      const claimed = await claim(store, 1000, 2000);
      assertEqual(claimed, [{ ...keyOf(sequence), attempts: 0 }], "the one that is due");
      assertEqual(await claim(store, 1000, 2000), [], "what is due while it is claimed");
      await store.completeDelivery(keyOf(sequence));
    }
    assertEqual(await store.nextDeliveryAt(), undefined, "when the next is due after all");
  },

  "different tasks and configurations do not wait for each other": async ({ store }) => {
    await createDeliveries(store, "t1", [1, 2]);
    await createDeliveries(store, "t2", [1, 2]);
    await appendNext(store, "t1", { deliveries: [{ configId: "c2", sequence: 2 }] });
    const claimed = (await claim(store, 1000, 2000)).map(spell);
    assertEqual(claimed, ["t1 c1 1", "t1 c2 2", "t2 c1 1"], "those that are due");
  },

  "claims take no more than the limit, and nothing twice": async ({ store }) => {
    await Promise.all(range(5).map((number) => createDeliveries(store, `t${number}`, [1, 2])));
    const claims = [];
    for (const _ of range(4)) claims.push(await claim(store, 1000, 2000, 2));
    assertEqual(
      claims.map(({ length }) => length),
      [2, 2, 1, 0],
      "how many each claim took",
    );
    const tasks = claims.flat().map(({ taskId }) => taskId);
    assertEqual(new Set(tasks).size, 5, "how many different tasks they are of");
  },

  "a claim ends at its moment, and was an attempt": async ({ store }) => {
    await createDeliveries(store, "t1", [1, 2]);
    await claim(store, 1000, 2000);
    assertEqual(await store.nextDeliveryAt(), 2000, "when the claimed one is due again");
    assertEqual(await claim(store, 1999, 5000), [], "what is due just before");
    const again = await claim(store, 2000, 3000);
    assertEqual(again, [{ ...keyOf(1), attempts: 1 }], "what is due at the end of the claim");
    const third = await claim(store, 3000, 4000);
    assertEqual(third, [{ ...keyOf(1), attempts: 2 }], "what is due at the end of the second");
    await store.completeDelivery(keyOf(1));
    assertEqual(await claim(store, 3000, 4000), [{ ...keyOf(2), attempts: 0 }], "the next one");
  },

  "a postponed delivery is due at its moment and holds up what follows": async ({ store }) => {
    await createDeliveries(store, "t1", [1, 2]);
    await claim(store, 1000, 9000);
    await store.postponeDelivery(keyOf(1), 3000);
    assertEqual(await store.nextDeliveryAt(), 3000, "when the postponed one is due");
    assertEqual(await claim(store, 2999, 9000), [], "what is due just before");
    const again = await claim(store, 3000, 9000);
    assertEqual(again, [{ ...keyOf(1), attempts: 1 }], "what is due at its moment");
    await store.postponeDelivery(keyOf(1), 2000);
    assertEqual(await store.nextDeliveryAt(), 2000, "a moment earlier than the claim's end");
    assertEqual(await claim(store, 2000, 9000), [{ ...keyOf(1), attempts: 2 }], "what is due then");
  },

  "a buried delivery is listed with its reason and lets what follows pass": async ({ store }) => {
    await createDeliveries(store, "t1", [1, 2]);
    await claim(store, 1000, 9000);
    await store.buryDelivery(keyOf(1), `answered 410 "gone"`);
    const buried = await store.listBuried(all);
    assertEqual(buried, [{ ...keyOf(1), reason: `answered 410 "gone"` }], "the buried ones");
    assertEqual(await store.nextDeliveryAt(), 0, "when the next is due");
    assertEqual(await claim(store, 1000, 9000), [{ ...keyOf(2), attempts: 0 }], "what is due");
    await store.completeDelivery(keyOf(2));
    assertEqual(await claim(store, 99_999, 99_999), [], "what is due later");
    assertEqual(await store.nextDeliveryAt(), undefined, "when the next is due after all");
  },

  "a buried delivery stays buried when it is postponed or buried again": async ({ store }) => {
    await createDeliveries(store, "t1", [1]);
    await claim(store, 1000, 9000);
    await store.buryDelivery(keyOf(1), "gone");
    await store.postponeDelivery(keyOf(1), 2000);
    assertEqual(await claim(store, 3000, 9000), [], "what is due");
    await store.buryDelivery(keyOf(1), "gone");
    assertEqual(await store.listBuried(all), [{ ...keyOf(1), reason: "gone" }], "the buried ones");
  },

  "buried deliveries are listed up to the limit": async ({ store }) => {
    await createDeliveries(store, "t1", [1, 2, 3]);
    assertEqual(await store.listBuried(all), [], "the buried before");
    for (const sequence of [1, 2, 3]) await store.buryDelivery(keyOf(sequence), "gone");
    const found = (await store.listBuried(2)).map(spell);
    assertEqual(new Set(found).size, 2, "the number of different ones listed");
    assertEqual((await store.listBuried(all)).map(spell).toSorted().length, 3, "their number");
  },

  "a revived delivery is due at once, as if it had never been tried": async ({ store }) => {
    await createDeliveries(store, "t1", [1, 2, 3]);
    await claim(store, 1000, 2000);
    await claim(store, 2000, 3000);
    await store.buryDelivery(keyOf(1), "gone");
    await claim(store, 3000, 4000);
    await store.completeDelivery(keyOf(2));
    await store.reviveDelivery(keyOf(1));
    assertEqual(await store.listBuried(all), [], "the buried ones");
    assertEqual(await store.nextDeliveryAt(), 0, "when it is due");
    const claimed = await claim(store, 3000, 4000);
    assertEqual(claimed, [{ ...keyOf(1), attempts: 0 }], "what is due, and nothing behind it");
    await store.completeDelivery(keyOf(1));
    assertEqual(await claim(store, 3000, 4000), [{ ...keyOf(3), attempts: 0 }], "what follows");
  },

  "the next delivery is the earliest of those that are first": async ({ store }) => {
    await createDeliveries(store, "t1", [1, 2]);
    await createDeliveries(store, "t2", [1, 2]);
    await claim(store, 1000, 5000);
    await store.postponeDelivery(keyOf(1, "t1"), 7000);
    assertEqual(await store.nextDeliveryAt(), 5000, "the end of the other's claim");
    await store.postponeDelivery(keyOf(1, "t2"), 8000);
    assertEqual(await store.nextDeliveryAt(), 7000, "the earlier of two postponed");
    await store.completeDelivery(keyOf(1, "t2"));
    assertEqual(await store.nextDeliveryAt(), 0, "after one is first that was never tried");
  },

  "a buried delivery that arrived after all is gone": async ({ store }) => {
    await createDeliveries(store, "t1", [1]);
    await store.buryDelivery(keyOf(1), "gone");
    await store.completeDelivery(keyOf(1));
    assertEqual(await store.listBuried(all), [], "the buried ones");
    await store.reviveDelivery(keyOf(1));
    assertEqual(await store.nextDeliveryAt(), undefined, "when the next is due");
  },

  "naming a delivery that is not there has no effect": async ({ store }) => {
    await createDeliveries(store, "t1", [1]);
    for (const key of [keyOf(2), keyOf(1, "t2"), keyOf(1, "t1", "c2")]) {
      await store.completeDelivery(key);
      await store.postponeDelivery(key, 9000);
      await store.buryDelivery(key, "gone");
      await store.reviveDelivery(key);
    }
    await store.reviveDelivery(keyOf(1));
    assertEqual(await store.listBuried(all), [], "the buried ones");
    assertEqual(await claim(store, 1000, 2000), [{ ...keyOf(1), attempts: 0 }], "what is due");
    await store.reviveDelivery(keyOf(1));
    assertEqual(await claim(store, 1000, 2000), [], "what is due after reviving a claimed one");
  },

  "a delivery that arrived after its claim ended is gone": async ({ store }) => {
    await createDeliveries(store, "t1", [1, 2]);
    await claim(store, 1000, 2000);
    await claim(store, 2000, 3000);
    await store.completeDelivery(keyOf(1));
    await store.completeDelivery(keyOf(1));
    assertEqual((await claim(store, 3000, 4000)).map(spell), ["t1 c1 2"], "what is due");
  },
};
