import type { Message } from "../../protocol/internal.js";
import { assertEqual, assertRefused } from "../assert.js";
import { ada, all, appendNext, bob, createTask, creation, range, scopeOf } from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

const reply: Message = {
  messageId: "m1",
  role: "ROLE_AGENT",
  parts: [{ text: "żółć" }, { data: null }],
  metadata: { nested: [1, null] },
};

const claim = { key: "k1", requestHash: "hash", expiresAt: 2000 };

export const idempotencyCases: StoreStatements = {
  "a key that came with an append leads to the task": async ({ store }) => {
    await createTask(store, "t1", {}, { idempotency: claim });
    const result = await store.loadIdempotentResult(scopeOf(ada), "k1", 1000);
    assertEqual(result, { requestHash: "hash", taskId: "t1" }, "the result");
  },

  "a key may come with any append, and is its task's owner's": async ({ store }) => {
    await createTask(store, "t1", { owner: bob });
    await appendNext(store, "t1", { idempotency: claim });
    const result = await store.loadIdempotentResult(scopeOf(bob), "k1", 1000);
    assertEqual(result, { requestHash: "hash", taskId: "t1" }, "the result");
    assertEqual(
      await store.loadIdempotentResult(scopeOf(ada), "k1", 1000),
      undefined,
      "another's result",
    );
  },

  "a key that came with a reply leads to the reply": async ({ store }) => {
    await store.saveReply(scopeOf(ada), claim, reply);
    const result = await store.loadIdempotentResult(scopeOf(ada), "k1", 1000);
    assertEqual(result, { requestHash: "hash", reply }, "the result");
  },

  "a second key leads to the reply, too, and expires with the first": async ({ store }) => {
    await store.saveReply(scopeOf(ada), { ...claim, alias: "k2" }, reply);
    const result = await store.loadIdempotentResult(scopeOf(ada), "k2", 1000);
    assertEqual(result, { requestHash: "hash", reply }, "the result");
    const later = await store.loadIdempotentResult(scopeOf(ada), "k2", 2000);
    assertEqual(later, undefined, "its later self");
    const others = await store.loadIdempotentResult(scopeOf(bob), "k2", 1000);
    assertEqual(others, undefined, "another's result");
    const { tasks } = await store.loadUsage("ada", "travel");
    assertEqual(tasks, 1, "how many replies count");
    assertEqual(await store.deleteExpiredKeys(2000, all), 2, "how many keys were deleted");
    assertEqual((await store.loadUsage("ada", "travel")).tasks, 0, "how many replies are left");
    await store.saveReply(scopeOf(ada), { ...claim, key: "k2" }, reply);
  },

  "a second key that is taken keeps leading where it led": async ({ store }) => {
    await store.saveReply(scopeOf(ada), { ...claim, alias: "k2" }, reply);
    const second = { ...reply, messageId: "m2" };
    await store.saveReply(scopeOf(ada), { ...claim, key: "k3", alias: "k2" }, second);
    await store.saveReply(scopeOf(ada), { ...claim, key: "k4", alias: "k3" }, reply);
    const taken = store.saveReply(scopeOf(ada), { ...claim, key: "k2" }, second);
    await assertRefused(taken, "CONCURRENT_MODIFICATION", "a reply with the second key");
    const kept = await store.loadIdempotentResult(scopeOf(ada), "k2", 1000);
    assertEqual(kept, { requestHash: "hash", reply }, "the reply of the second key");
    const own = await store.loadIdempotentResult(scopeOf(ada), "k3", 1000);
    assertEqual(own, { requestHash: "hash", reply: second }, "the reply of the third");
  },

  "a second key that outlives its reply leads nowhere": async ({ store }) => {
    await store.saveReply(scopeOf(ada), { ...claim, alias: "a" }, reply);
    await store.deleteExpiredKeys(2000, 1);
    await store.deleteExpiredKeys(2000, 1);
    assertEqual(await store.deleteExpiredKeys(2000, all), 0, "how many keys were left");
    await store.saveReply(scopeOf(ada), { ...claim, key: "a", alias: "k1" }, reply);
    const again = await store.loadIdempotentResult(scopeOf(ada), "k1", 1000);
    assertEqual(again, { requestHash: "hash", reply }, "the result of the key, taken again");
  },

  "an unknown key leads to nothing": async ({ store }) => {
    await store.saveReply(scopeOf(ada), claim, reply);
    assertEqual(
      await store.loadIdempotentResult(scopeOf(ada), "k2", 1000),
      undefined,
      "another key",
    );
    assertEqual(
      await store.loadIdempotentResult(scopeOf(ada), "K1", 1000),
      undefined,
      "in capitals",
    );
  },

  "a key is its owner's": async ({ store }) => {
    await store.saveReply(scopeOf(ada), claim, reply);
    assertEqual(
      await store.loadIdempotentResult(scopeOf(bob), "k1", 1000),
      undefined,
      "another's result",
    );
    await createTask(store, "t1", { owner: bob }, { idempotency: claim });
    const result = await store.loadIdempotentResult(scopeOf(bob), "k1", 1000);
    assertEqual(result, { requestHash: "hash", taskId: "t1" }, "the other's own result");
    const first = await store.loadIdempotentResult(scopeOf(ada), "k1", 1000);
    assertEqual(first, { requestHash: "hash", reply }, "the first one's result");
  },

  "a key is its agent's": async ({ store }) => {
    await createTask(store, "t1", {}, { idempotency: claim });
    const elsewhere = scopeOf(ada, "weather");
    const before = await store.loadIdempotentResult(elsewhere, "k1", 1000);
    assertEqual(before, undefined, "another agent's result");
    await store.saveReply(elsewhere, claim, reply);
    await createTask(store, "t2", { agent: "news" }, { idempotency: claim });
    const own = await store.loadIdempotentResult(elsewhere, "k1", 1000);
    assertEqual(own, { requestHash: "hash", reply }, "the other's own result");
    const third = await store.loadIdempotentResult(scopeOf(ada, "news"), "k1", 1000);
    assertEqual(third, { requestHash: "hash", taskId: "t2" }, "that of a third");
    const first = await store.loadIdempotentResult(scopeOf(ada), "k1", 1000);
    assertEqual(first, { requestHash: "hash", taskId: "t1" }, "the first one's result");
  },

  "a key that is taken stays as it is": async ({ store }) => {
    const other = { ...claim, requestHash: "another", expiresAt: 9000 };
    const taken = { ...claim, key: "k2" };
    await store.saveReply(scopeOf(ada), claim, reply);
    await createTask(store, "t1", {}, { idempotency: taken });
    const code = "CONCURRENT_MODIFICATION";
    const second = { ...reply, messageId: "m2" };
    await assertRefused(store.saveReply(scopeOf(ada), claim, second), code, "a second reply");
    await assertRefused(
      store.saveReply(scopeOf(ada), other, second),
      code,
      "another request's reply",
    );
    await assertRefused(
      store.saveReply(scopeOf(ada), taken, reply),
      code,
      "a reply with a task's key",
    );
    const append = creation("t2", {}, { idempotency: other });
    await assertRefused(store.append(append), code, "an append with a reply's key");
    const first = await store.loadIdempotentResult(scopeOf(ada), "k1", 1000);
    assertEqual(first, { requestHash: "hash", reply }, "the reply");
    assertEqual(
      await store.loadIdempotentResult(scopeOf(ada), "k1", 5000),
      undefined,
      "its later self",
    );
    const task = await store.loadIdempotentResult(scopeOf(ada), "k2", 1000);
    assertEqual(task, { requestHash: "hash", taskId: "t1" }, "the task");
  },

  "a key expires at its moment": async ({ store }) => {
    await store.saveReply(scopeOf(ada), claim, reply);
    const before = await store.loadIdempotentResult(scopeOf(ada), "k1", 1999);
    assertEqual(before, { requestHash: "hash", reply }, "the result just before");
    assertEqual(
      await store.loadIdempotentResult(scopeOf(ada), "k1", 2000),
      undefined,
      "the result then",
    );
  },

  "expired keys are deleted and free, others stay": async ({ store }) => {
    await store.saveReply(scopeOf(ada), claim, reply);
    await store.saveReply(scopeOf(ada), { ...claim, key: "k2", expiresAt: 2001 }, reply);
    await createTask(store, "t1", {}, { idempotency: { ...claim, key: "k3" } });
    assertEqual(await store.deleteExpiredKeys(1999, all), 0, "how many were deleted before");
    assertEqual(await store.deleteExpiredKeys(2000, all), 2, "how many were deleted");
    assertEqual(await store.deleteExpiredKeys(2000, all), 0, "how many were left");
    const stays = await store.loadIdempotentResult(scopeOf(ada), "k2", 1000);
    assertEqual(stays, { requestHash: "hash", reply }, "the key that stays");
    assertEqual(
      await store.loadIdempotentResult(scopeOf(ada), "k1", 0),
      undefined,
      "a deleted key",
    );
    await createTask(store, "t2", {}, { idempotency: { ...claim, expiresAt: 9000 } });
    await store.saveReply(scopeOf(ada), { ...claim, key: "k3", expiresAt: 9000 }, reply);
    const again = await store.loadIdempotentResult(scopeOf(ada), "k1", 3000);
    assertEqual(again, { requestHash: "hash", taskId: "t2" }, "the freed key, taken again");
    assertEqual((await store.loadRecord("t1"))?.sequence, 1, "the sequence of the key's task");
  },

  "expired keys are deleted up to the limit": async ({ store }) => {
    for (const number of range(5))
      await store.saveReply(scopeOf(ada), { ...claim, key: `${number}` }, reply);
    const counts = [];
    for (const _ of range(4)) counts.push(await store.deleteExpiredKeys(3000, 2));
    assertEqual(counts, [2, 2, 1, 0], "how many each call deleted");
  },
};
