import { A2AError } from "../../protocol/index.js";
import type { Store } from "../store.js";
import { IdempotencyKeys } from "./idempotency-keys.js";
import { MessageIds } from "./message-ids.js";
import { Outbox } from "./outbox.js";
import { PushConfigs } from "./push-configs.js";
import { TaskTable } from "./task-table.js";

/**
 * A store that lasts as long as the process, for tests, for development and for agents whose tasks may be
 * lost. Every method does its work before it returns its promise, so nothing ever happens in between.
 */
export function createMemoryStore(): Store {
  const tasks = new TaskTable();
  const messageIds = new MessageIds();
  const keys = new IdempotencyKeys();
  const pushConfigs = new PushConfigs();
  const outbox = new Outbox();
  /** When each node's lease ends. */
  const nodes = new Map<string, number>();
  const secrets = new Map<string, string>();
  let isOpen = true;
  const close = async (): Promise<void> => {
    isOpen = false;
  };

  return {
    description: "memory",
    async check() {
      if (!isOpen) throw new A2AError("UNAVAILABLE", "the store is closed");
    },

    async append(append) {
      const { taskId, idempotency, deliveries = [] } = append;
      const owner = tasks.check(append);
      if (idempotency !== undefined) keys.check(owner, idempotency);
      tasks.write(append);
      if (idempotency !== undefined) keys.save(owner, idempotency, { taskId });
      messageIds.add(owner, append.messageIds ?? [], taskId);
      for (const delivery of deliveries) outbox.add(taskId, delivery);
    },
    read: async (taskId, after, limit) => tasks.read(taskId, after, limit),
    load: async (taskId) => tasks.load(taskId),
    loadRecord: async (taskId) => tasks.loadRecord(taskId),
    list: async (query) => tasks.list(query),
    loadUsage: async (subject, agent) => tasks.usage(subject, agent),
    findByMessageId: async (owner, messageId) => messageIds.find(owner, messageId),
    async deleteEnded(before, limit) {
      const deleted = tasks.deleteEnded(before, limit);
      for (const taskId of deleted) {
        messageIds.deleteTask(taskId);
        keys.deleteTask(taskId);
        pushConfigs.deleteTask(taskId);
        outbox.deleteTask(taskId);
      }
      return deleted.length;
    },

    async renewNode(node, until) {
      nodes.set(node, until);
    },
    async releaseNode(node) {
      nodes.delete(node);
    },
    claim: async (claim) => tasks.claim(claim),
    findAbandoned: async (agent, now, limit) =>
      tasks.findAbandoned(agent, (node) => now < (nodes.get(node) ?? -Infinity), limit),

    savePushConfig: async (record) => pushConfigs.save(record),
    loadPushConfig: async (taskId, configId) => pushConfigs.load(taskId, configId),
    listPushConfigs: async (taskId, after, limit) => pushConfigs.list(taskId, after, limit),
    async deletePushConfig(taskId, configId) {
      pushConfigs.delete(taskId, configId);
      outbox.deleteConfig(taskId, configId);
    },

    claimDeliveries: async ({ now, until, limit }) => outbox.claim(now, until, limit),
    completeDelivery: async (key) => outbox.complete(key),
    postponeDelivery: async (key, retryAt) => outbox.postpone(key, retryAt),
    buryDelivery: async (key, reason) => outbox.bury(key, reason),
    listBuried: async (limit) => outbox.listBuried(limit),
    reviveDelivery: async (key) => outbox.revive(key),
    nextDeliveryAt: async () => outbox.nextAt(),

    loadIdempotentResult: async (owner, key, now) => keys.load(owner, key, now),
    async saveReply(owner, claim, reply) {
      keys.check(owner, claim);
      keys.save(owner, claim, { reply });
    },
    deleteExpiredKeys: async (now, limit) => keys.deleteExpired(now, limit),

    async settleSecret(name, proposed) {
      const value = secrets.get(name) ?? proposed;
      secrets.set(name, value);
      return value;
    },

    close,
    [Symbol.asyncDispose]: close,
  };
}
