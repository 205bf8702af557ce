import type { Message } from "../../protocol/internal.js";
import { assert, assertEqual, assertRefused, countOutcomes } from "../assert.js";
import { pushConfig } from "./queue-samples.js";
import {
  ada,
  agent,
  all,
  appendNext,
  bob,
  chunk,
  createTask,
  creation,
  range,
  recordOf,
  scopeOf,
} from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

const code = "RESOURCE_EXHAUSTED";
const reply: Message = { messageId: "m1", role: "ROLE_AGENT", parts: [{ text: "żółć" }] };
const claim = (key: string) => ({ key, requestHash: "hash", expiresAt: 2000 });

export const limitCases: StoreStatements = {
  "kept replies are used like tasks, with the characters of their JSON, until they are deleted":
    async ({ store }) => {
      await createTask(store, "t1", {}, { bytes: 100, idempotency: claim("of a task") });
      await store.saveReply(scopeOf(ada), claim("k1"), reply);
      await store.saveReply(scopeOf(ada, "weather"), claim("k1"), reply);
      const bytes = JSON.stringify(reply).length;
      const used = { tasks: 2, bytes: 100 + bytes };
      assertEqual(await store.loadUsage(ada.subject, agent), used, "with a task");
      const elsewhere = await store.loadUsage(ada.subject, "weather");
      assertEqual(elsewhere, { tasks: 1, bytes }, "with another agent");
      assertEqual(
        await store.list({ agent, limit: all }).then((page) => page.totalSize),
        1,
        "list",
      );
      await store.deleteExpiredKeys(2000, all);
      const after = await store.loadUsage(ada.subject, agent);
      assertEqual(after, { tasks: 1, bytes: 100 }, "when they have expired");
      const gone = await store.loadUsage(ada.subject, "weather");
      assertEqual(gone, { tasks: 0, bytes: 0 }, "of an agent without tasks");
    },

  "push configurations are used with the characters of their JSON, until they or their tasks are deleted":
    async ({ store }) => {
      const config = (id: string, url: string) => pushConfig("t1", id, { config: { url } });
      const used = async () => (await store.loadUsage(ada.subject, agent)).bytes;
      const short = "https://a.example";
      const long = `${short}/${"x".repeat(100)}`;
      const first = { bytes: 10, pushConfig: config("c1", short) };
      await createTask(store, "t1", { state: "TASK_STATE_COMPLETED", at: 1 }, first);
      // A store that encrypts them keeps more than was given.
      const light = (await used()) - 10;
      assert(light >= JSON.stringify({ url: short }).length, `${light} bytes are too few`);
      await store.savePushConfig(config("c2", long));
      const heavy = (await used()) - 10 - light;
      assert(heavy >= JSON.stringify({ url: long }).length, `${heavy} bytes are too few`);
      await store.savePushConfig(config("c1", long));
      assertEqual(await used(), 10 + heavy + heavy, "of one that was replaced");
      for (const _ of range(2)) await store.deletePushConfig("t1", "c2");
      assertEqual(await used(), 10 + heavy, "of the one that is left");
      await store.deleteEnded(100, all);
      assertEqual(await used(), 0, "of a deleted task");
    },

  "one who has as many tasks as the limit adds neither task nor reply, and goes on with a task":
    async ({ store }) => {
      const limits = { maxTasks: 2 };
      await createTask(store, "t1", {}, { limits });
      await store.saveReply(scopeOf(ada), claim("k1"), reply, limits);
      const before = await store.loadUsage(ada.subject, agent);
      const more = { limits, idempotency: claim("k2"), pushConfig: pushConfig("t2") };
      await assertRefused(store.append(creation("t2", {}, more)), code, "a task");
      const inTenant = creation("t2", { owner: { ...ada, tenant: "other" } }, { limits });
      await assertRefused(store.append(inTenant), code, "a task in another tenant");
      const saved = store.saveReply(scopeOf(ada), claim("k2"), reply, limits);
      await assertRefused(saved, code, "a reply");
      assertEqual(await store.load("t2"), undefined, "the refused task");
      const key = await store.loadIdempotentResult(scopeOf(ada), "k2", 0);
      assertEqual(key, undefined, "the refused key");
      assertEqual(await store.loadUsage(ada.subject, agent), before, "the usage");
      await appendNext(store, "t1", { limits });
      await createTask(store, "t3", { owner: bob }, { limits });
      await createTask(store, "t4", { agent: "weather" }, { limits });
      await createTask(store, "t5");
    },

  "one who has as many bytes as the limit adds nothing": async ({ store }) => {
    const limits = { maxBytes: 100 };
    await createTask(store, "t1", {}, { bytes: 99, limits });
    await appendNext(store, "t1", { bytes: 100, limits });
    await assertRefused(appendNext(store, "t1", { limits }), code, "an append");
    await assertRefused(createTask(store, "t2", {}, { limits }), code, "a task");
    const saved = store.saveReply(scopeOf(ada), claim("k1"), reply, limits);
    await assertRefused(saved, code, "a reply");
    await assertRefused(store.savePushConfig(pushConfig("t1"), limits), code, "a configuration");
    assertEqual((await recordOf(store, "t1")).sequence, 2, "the length of the log");
    // What a run tells is not the caller's to limit.
    await appendNext(store, "t1");
  },

  "a task with as many push configurations as the limit takes no other, and replaces its own":
    async ({ store }) => {
      const limits = { maxPushConfigs: 2 };
      await createTask(store, "t1", {}, { pushConfig: pushConfig("t1", "c1"), limits });
      assertEqual(await store.savePushConfig(pushConfig("t1", "c2"), limits), true, "the second");
      const third = store.savePushConfig(pushConfig("t1", "c3"), limits);
      await assertRefused(third, code, "a third");
      const along = { pushConfig: pushConfig("t1", "c3"), limits };
      await assertRefused(appendNext(store, "t1", along), code, "a third with an append");
      assertEqual((await recordOf(store, "t1")).sequence, 1, "the length of the log");
      await store.savePushConfig(pushConfig("t1", "c1"), limits);
      await appendNext(store, "t1", { pushConfig: pushConfig("t1", "c2"), limits });
      await store.deletePushConfig("t1", "c1");
      await appendNext(store, "t1", along);
      const none = createTask(store, "t2", {}, { ...along, limits: { maxPushConfigs: 0 } });
      await assertRefused(none, code, "one with a task that may have none");
    },

  "what is refused anyway is not refused for a limit": async ({ store }) => {
    const limits = { maxTasks: 1, maxBytes: 1 };
    await createTask(store, "t1", {}, { bytes: 9, idempotency: claim("k1") });
    const conflict = "CONCURRENT_MODIFICATION";
    await assertRefused(createTask(store, "t1", {}, { limits }), conflict, "a task twice");
    const taken = { limits, idempotency: claim("k1") };
    await assertRefused(createTask(store, "t2", {}, taken), conflict, "a key twice");
    const late = { limits, expectedSequence: 7 };
    await assertRefused(appendNext(store, "t1", late), conflict, "an append elsewhere");
    const saved = store.saveReply(scopeOf(ada), claim("k1"), reply, limits);
    await assertRefused(saved, conflict, "a reply with a key twice");
    const unknown = await store.savePushConfig(pushConfig("unknown"), limits);
    assertEqual(unknown, false, "a configuration of no task");
  },

  "of fifty tasks and replies at the same time, no more are kept than the limit": async ({
    store,
    another,
  }) => {
    const nodes = [store, await another()];
    const limits = { maxTasks: 7 };
    const counts = await countOutcomes(
      range(50).map((number) => {
        const node = nodes[number % 2] ?? store;
        return number % 4 < 2
          ? node.append(creation(`t${number}`, {}, { limits }))
          : node.saveReply(scopeOf(ada), claim(`k${number}`), reply, limits);
      }),
    );
    assertEqual(counts, { ok: 7, RESOURCE_EXHAUSTED: 43 }, "the outcomes");
    assertEqual((await store.loadUsage(ada.subject, agent)).tasks, 7, "what is kept");
  },

  "of fifty push configurations at the same time, a task gets no more than the limit": async ({
    store,
    another,
  }) => {
    const nodes = [store, await another()];
    const limits = { maxPushConfigs: 7 };
    await createTask(store, "t1");
    const counts = await countOutcomes(
      range(50).map((number) => {
        const node = nodes[number % 2] ?? store;
        return node.savePushConfig(pushConfig("t1", `c${number}`), limits);
      }),
    );
    assertEqual(counts, { ok: 7, RESOURCE_EXHAUSTED: 43 }, "the outcomes");
    assertEqual((await store.listPushConfigs("t1", undefined, all)).length, 7, "what is kept");
    const { queued } = await appendNext(store, "t1", { events: [chunk()], notifyAt: 1000 });
    assertEqual(queued, 7, "how many hear of an event");
  },
};
