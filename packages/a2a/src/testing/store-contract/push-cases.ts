import type { PushConfigRecord, Store } from "../../store/internal.js";
import { assertEqual } from "../assert.js";
import { claimQueues, createQueue, pushConfig, spellQueue } from "./queue-samples.js";
import { agent, all, appendNext, chunk, createTask, range } from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

async function listIds(
  store: Store,
  taskId: string,
  after?: string,
  limit = all,
): Promise<string[]> {
  const configs = await store.listPushConfigs(taskId, after, limit);
  return configs.map(({ configId }) => configId);
}

export const pushCases: StoreStatements = {
  "a push configuration is loaded as it was saved": async ({ store }) => {
    const record: PushConfigRecord = {
      taskId: "t1",
      configId: "c1",
      dialect: "0.3",
      detail: "artifacts",
      host: "a.example",
      config: {
        tenant: "acme",
        id: "c1",
        taskId: "t1",
        url: "https://a.example/hook?x=y",
        token: "żółć",
        authentication: { scheme: "Bearer", credentials: "secret", schemes: ["Bearer", "Basic"] },
        headers: { "X-Key": "value" },
      },
    };
    await createTask(store, "t1");
    assertEqual(await store.savePushConfig(record), true, "whether it was saved");
    assertEqual(await store.loadPushConfig("t1", "c1"), record, "the configuration");
    assertEqual(await store.listPushConfigs("t1", undefined, all), [record], "the list");
  },

  "a push configuration of no task is not saved": async ({ store }) => {
    assertEqual(await store.savePushConfig(pushConfig("t1")), false, "whether it was saved");
    await createTask(store, "t1", {}, { notifyAt: 1000 });
    assertEqual(await listIds(store, "t1"), [], "the list of a task with its id");
    assertEqual(await store.nextDeliveryAt(agent), undefined, "when its next delivery is due");
  },

  "a push configuration comes with an append, and hears of its events": async ({ store }) => {
    await createTask(store, "t1", {}, { pushConfig: pushConfig("t1", "c1"), notifyAt: 1000 });
    const next = { pushConfig: pushConfig("t1", "c2", { dialect: "0.3" }), notifyAt: 2000 };
    await appendNext(store, "t1", next);
    assertEqual(
      await store.loadPushConfig("t1", "c2"),
      pushConfig("t1", "c2", { dialect: "0.3" }),
      "the second",
    );
    const due = (await claimQueues(store, { now: 2000, until: 3000 })).map(spellQueue);
    assertEqual(due, ["t1 c1 1,2", "t1 c2 2"], "what is due");
  },

  "a push configuration that is saved again is replaced": async ({ store }) => {
    await createQueue(store, "t1");
    const host = "b.example";
    const config = { id: "c1", taskId: "t1", url: `https://${host}` };
    const record = pushConfig("t1", "c1", { dialect: "0.3", detail: "status", host, config });
    await store.savePushConfig(record);
    assertEqual(await store.loadPushConfig("t1", "c1"), record, "the configuration");
    assertEqual((await store.listPushConfigs("t1", undefined, all)).length, 1, "their number");
    const { queued } = await appendNext(store, "t1", { notifyAt: 1000 });
    assertEqual(queued, 0, "how many hear of a chunk");
    const [due] = await claimQueues(store, { now: 1000, until: 2000 });
    assertEqual([due && spellQueue(due), due?.host], ["t1 c1 1", host], "what waits, and for whom");
  },

  "what waits for a replaced configuration is due at once, as if never tried": async ({
    store,
  }) => {
    await createQueue(store, "t1");
    await claimQueues(store, { now: 1000, until: 2000 });
    await store.savePushConfig(pushConfig("t1"));
    assertEqual(await store.nextDeliveryAt(agent), 2000, "when it is due while it is claimed");
    const release = { node: "n1", dueAt: 9000 };
    await store.settleQueue({ taskId: "t1", configId: "c1", release });
    await store.savePushConfig(pushConfig("t1"));
    const [due] = await claimQueues(store, { now: 1500, until: 2000 });
    assertEqual(due?.attempts, 0, "the attempts at what is due");
  },

  "a push configuration belongs to its task": async ({ store }) => {
    await createTask(store, "t1");
    await createTask(store, "t2");
    const records = [pushConfig("t1"), pushConfig("t2", "c1", { host: "b.example" })];
    for (const record of records) await store.savePushConfig(record);
    await store.savePushConfig(pushConfig("t2", "c2"));
    assertEqual(await store.loadPushConfig("t1", "c1"), records[0], "that of the first task");
    assertEqual(await store.loadPushConfig("t2", "c1"), records[1], "that of the second");
    assertEqual(await store.loadPushConfig("t1", "c2"), undefined, "that of another task");
    assertEqual(await store.loadPushConfig("unknown", "c1"), undefined, "that of no task");
    assertEqual(await listIds(store, "t1"), ["c1"], "the list of the first task");
    assertEqual(await listIds(store, "unknown"), [], "the list of no task");
  },

  "push configurations are listed in order of their ids, page by page": async ({ store }) => {
    await createTask(store, "t1");
    for (const id of ["b", "a", "c", "a1", "B"]) await store.savePushConfig(pushConfig("t1", id));
    const sorted = ["B", "a", "a1", "b", "c"];
    assertEqual(await listIds(store, "t1"), sorted, "the list");
    assertEqual(await listIds(store, "t1", undefined, 2), ["B", "a"], "the first page");
    assertEqual(await listIds(store, "t1", "a", 2), ["a1", "b"], "the page after a");
    assertEqual(await listIds(store, "t1", "b", 2), ["c"], "the last page");
    assertEqual(
      await listIds(store, "t1", "aa"),
      ["b", "c"],
      "the list after one that is not there",
    );
    assertEqual(await listIds(store, "t1", "c"), [], "the list after the last");
  },

  "a push configuration is deleted, once or twice, and others stay": async ({ store }) => {
    await createTask(store, "t1");
    await createTask(store, "t2");
    for (const taskId of ["t1", "t2"]) {
      for (const id of ["c1", "c2"]) await store.savePushConfig(pushConfig(taskId, id));
    }
    for (const _ of range(2)) await store.deletePushConfig("t1", "c1");
    await store.deletePushConfig("unknown", "c1");
    assertEqual(await store.loadPushConfig("t1", "c1"), undefined, "the configuration");
    assertEqual(await listIds(store, "t1"), ["c2"], "the list of its task");
    assertEqual(await listIds(store, "t2"), ["c1", "c2"], "the list of the other");
  },

  "a push configuration is deleted with its deliveries, and others' stay": async ({ store }) => {
    const names = ["waiting", "claimed", "postponed", "buried"];
    for (const taskId of names) {
      await createTask(store, taskId, {}, { pushConfig: pushConfig(taskId, "c1") });
      await store.savePushConfig(pushConfig(taskId, "c2"));
      await appendNext(store, taskId, { events: [chunk(), chunk()], notifyAt: 2000 });
    }
    await claimQueues(store, { now: 2000, until: 5000 });
    for (const configId of ["c1", "c2"]) {
      const buried = { sequences: [2], reason: "gone" };
      await store.settleQueue({ taskId: "buried", configId, buried });
      for (const taskId of names.filter((name) => name !== "claimed")) {
        await store.settleQueue({ taskId, configId, release: { node: "n1", dueAt: 2000 } });
      }
    }
    for (const taskId of names) await store.deletePushConfig(taskId, "c1");
    const buried = await store.listBuried({ agent, limit: all });
    assertEqual(
      buried.map(({ configId }) => configId),
      ["c2"],
      "whose are buried",
    );
    assertEqual(
      await store.countDeliveries(agent),
      { waiting: 7, buried: 1 },
      "how many there are",
    );
    const due = (await claimQueues(store, { now: 9000, until: 9999 })).map(spellQueue);
    const expected = ["buried c2 3", "claimed c2 2,3", "postponed c2 2,3", "waiting c2 2,3"];
    assertEqual(due, expected, "what is due");
    for (const taskId of names) await store.savePushConfig(pushConfig(taskId, "c1"));
    assertEqual((await store.countDeliveries(agent)).waiting, 7, "what waits after saving again");
  },
};
