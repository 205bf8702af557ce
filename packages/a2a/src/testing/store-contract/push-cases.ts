import type { PushConfigRecord, Store } from "../../store/index.js";
import { assertEqual } from "../assert.js";
import { all, createTask, range } from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

function pushConfig(taskId: string, configId: string, url = "https://a.example"): PushConfigRecord {
  return { taskId, configId, dialect: "1.0", config: { id: configId, taskId, url } };
}

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
    await store.savePushConfig(record);
    assertEqual(await store.loadPushConfig("t1", "c1"), record, "the configuration");
    assertEqual(await store.listPushConfigs("t1", undefined, all), [record], "the list");
  },

  "a push configuration may be saved before its task begins": async ({ store }) => {
    await store.savePushConfig(pushConfig("t1", "c1"));
    assertEqual(await listIds(store, "t1"), ["c1"], "the list before");
    await createTask(store, "t1");
    assertEqual(await listIds(store, "t1"), ["c1"], "the list after");
  },

  "a push configuration that is saved again is replaced": async ({ store }) => {
    await createTask(store, "t1", {}, { deliveries: [{ configId: "c1", sequence: 1 }] });
    await store.savePushConfig(pushConfig("t1", "c1"));
    const record = { ...pushConfig("t1", "c1", "https://b.example"), dialect: "0.3" };
    await store.savePushConfig(record);
    assertEqual(await store.loadPushConfig("t1", "c1"), record, "the configuration");
    assertEqual((await store.listPushConfigs("t1", undefined, all)).length, 1, "their number");
    assertEqual(await store.nextDeliveryAt(), 0, "when its delivery is due");
  },

  "a push configuration belongs to its task": async ({ store }) => {
    await createTask(store, "t1");
    await createTask(store, "t2");
    const records = [pushConfig("t1", "c1"), pushConfig("t2", "c1", "https://b.example")];
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
    const deliveries = range(3).flatMap((number) =>
      ["c1", "c2"].map((configId) => ({ configId, sequence: number + 1 })),
    );
    for (const taskId of ["waiting", "claimed", "postponed", "buried"]) {
      await createTask(store, taskId, {}, { deliveries });
      for (const id of ["c1", "c2"]) await store.savePushConfig(pushConfig(taskId, id));
    }
    await store.postponeDelivery({ taskId: "postponed", configId: "c1", sequence: 1 }, 8000);
    for (const configId of ["c1", "c2"]) {
      await store.buryDelivery({ taskId: "buried", configId, sequence: 1 }, "gone");
    }
    const claim = { node: "n1", now: 1000, until: 5000, limit: all };
    await store.claimDeliveries(claim);
    for (const taskId of ["waiting", "claimed", "postponed", "buried"]) {
      await store.deletePushConfig(taskId, "c1");
    }
    const buried = await store.listBuried(all);
    assertEqual(
      buried.map(({ configId }) => configId),
      ["c2"],
      "whose are buried",
    );
    for (const _ of range(3)) {
      const claimed = await store.claimDeliveries({ ...claim, now: 9000, until: 9000 });
      const configs = new Set(claimed.map(({ configId }) => configId));
      assertEqual([claimed.length, ...configs], [4, "c2"], "how many are due, and whose");
    }
  },
};
