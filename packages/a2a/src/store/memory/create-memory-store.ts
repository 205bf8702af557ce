import { systemClock } from "../../async/internal.js";
import type { Clock } from "../../async/internal.js";
import { A2AError } from "../../protocol/internal.js";
import type { Append } from "../append.js";
import { checkUsage } from "../store-limits.js";
import type { StoreLimits } from "../store-limits.js";
import { pushDetails, pushRankOf } from "../push-detail.js";
import type { PushConfigRecord } from "../push-store.js";
import type { Store } from "../store.js";
import type { Scope } from "../task-record.js";
import { IdempotencyKeys } from "./idempotency-keys.js";
import { MessageIds } from "./message-ids.js";
import { Nodes } from "./nodes.js";
import { Outbox } from "./outbox.js";
import { PushConfigs } from "./push-configs.js";
import { TaskTable } from "./task-table.js";
import { Usages } from "./usages.js";

/** What a memory store may be given. */
export interface MemoryStoreOptions {
  /** The store's time. Default: the system's. */
  readonly clock?: Pick<Clock, "now">;
}

/**
 * A store in memory, for tests, for development, and for agents whose tasks may be lost with the process. Every
 * method does all its work synchronously before it returns its promise, so operations never interleave.
 */
export function createMemoryStore({ clock = systemClock }: MemoryStoreOptions = {}): Store {
  const usages = new Usages();
  const tasks = new TaskTable(usages);
  const messageIds = new MessageIds();
  const keys = new IdempotencyKeys(usages);
  const pushConfigs = new PushConfigs(usages);
  const outbox = new Outbox();
  const nodes = new Nodes();
  const secrets = new Map<string, string>();
  let isOpen = true;
  const close = async (): Promise<void> => {
    isOpen = false;
  };

  const check = (scope: Scope, limits: StoreLimits, adds: "task" | "part"): void =>
    checkUsage(usages.of(scope), limits, adds);

  const savePushConfig = (record: PushConfigRecord, scope: Scope): void => {
    pushConfigs.save(record, scope);
    outbox.retarget(record, record.host);
  };

  /** Queues notifications of the events that were written. Returns how many. */
  const notify = (
    { taskId, events, notifyAt }: Append,
    agent: string,
    sequence: number,
  ): number => {
    let count = 0;
    const first = sequence - events.length + 1;
    if (notifyAt === undefined) return count;
    for (const { configId, detail, host } of pushConfigs.of(taskId)) {
      const maxRank = pushDetails.indexOf(detail);
      const wanted = events.flatMap((event, index) =>
        pushRankOf(event) <= maxRank ? [{ sequence: first + index, queuedAt: notifyAt }] : [],
      );
      if (wanted.length > 0) outbox.add({ taskId, configId }, { agent, host }, wanted);
      count += wanted.length;
    }
    return count;
  };

  return {
    description: "memory",
    isShared: false,
    async check() {
      if (!isOpen) throw new A2AError("UNAVAILABLE", "the store is closed");
    },

    async append(append) {
      const { taskId, idempotency, pushConfig, limits } = append;
      const { owner, agent } = tasks.check(append);
      const scope = { tenant: owner.tenant, subject: owner.subject, agent };
      if (idempotency !== undefined) keys.check(scope, idempotency, tasks.headOf(taskId));
      if (limits !== undefined) {
        check(scope, limits, append.create === undefined ? "part" : "task");
        if (pushConfig !== undefined) pushConfigs.check(taskId, pushConfig.configId, limits);
      }
      const at = clock.now();
      const { sequence, epoch } = tasks.write(append, at);
      if (idempotency !== undefined) keys.save(scope, idempotency, { taskId });
      if (append.messageIds !== undefined) messageIds.add(scope, append.messageIds, taskId);
      if (pushConfig !== undefined) savePushConfig({ ...pushConfig, taskId }, scope);
      return { sequence, epoch, at, queued: notify(append, agent, sequence) };
    },
    read: async (taskId, after, limit) => tasks.read(taskId, after, limit),
    load: async (taskId, maxBytes) => tasks.load(taskId, maxBytes),
    loadRecord: async (taskId) => tasks.loadRecord(taskId),
    list: async (query) => tasks.list(query),
    listAgents: async () => tasks.agents(),
    loadUsage: async (subject, agent) => usages.of({ subject, agent }),
    findByMessageId: async (scope, messageId) => messageIds.find(scope, messageId),
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

    async renewNode(node, forMs, info) {
      const now = clock.now();
      return nodes.renew(node, { until: now + forMs, now }, info);
    },
    releaseNode: async (node) => nodes.release(node),
    isLive: async (node) => nodes.isLive(node, clock.now()),
    listNodes: async () => nodes.list(clock.now()),
    setDraining: async (node, isDraining) => nodes.setDraining(node, isDraining),
    claim: async (claim) => tasks.claim(claim),
    async claimAbandoned(agent, node, limit, { exceptSubjects = [], onlyReleased = false } = {}) {
      const now = clock.now();
      const except = new Set(exceptSubjects);
      return tasks.claimAbandoned({ agent, node, limit, except }, (other) =>
        onlyReleased ? nodes.isKnown(other) : nodes.isLive(other, now),
      );
    },
    listHeld: async (agent, node) => tasks.listHeld(agent, node),

    async savePushConfig(record, limits) {
      const task = tasks.loadRecord(record.taskId);
      if (task === undefined) return false;
      const scope = { ...task.owner, agent: task.agent };
      if (limits !== undefined) {
        check(scope, limits, "part");
        pushConfigs.check(record.taskId, record.configId, limits);
      }
      savePushConfig(record, scope);
      return true;
    },
    loadPushConfig: async (taskId, configId) => pushConfigs.load(taskId, configId),
    listPushConfigs: async (taskId, after, limit) => pushConfigs.list(taskId, after, limit),
    async deletePushConfig(taskId, configId) {
      pushConfigs.delete(taskId, configId);
      outbox.deleteConfig({ taskId, configId });
    },

    claimQueues: async (claim) => outbox.claim(claim),
    settleQueue: async (settlement) => outbox.settle(settlement),
    nextDeliveryAt: async (agent) => outbox.nextAt(agent),
    listBuried: async ({ agent, after, limit }) => outbox.listBuried(agent, after, limit),
    reviveDelivery: async (key, now) => outbox.revive(key, now),
    countDeliveries: async (agent) => outbox.count(agent),

    loadIdempotentResult: async (scope, key, now) => keys.load(scope, key, now),
    async saveReply(scope, claim, reply, limits) {
      keys.check(scope, claim);
      if (limits !== undefined) check(scope, limits, "task");
      keys.save(scope, claim, { reply });
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
