import { pushDetails, pushRankOf } from "../store/internal.js";
import type {
  DeliveryKey,
  LogEntry,
  OutboxStore,
  PushConfigRecord,
  PushQueue,
  Scope,
  Store,
} from "../store/internal.js";
import { atOnce, isSameQueue, withWaiting } from "./store-model-queue.js";
import type { ModelConfig } from "./store-model-queue.js";

/** The push configurations of the model, and the notifications that wait for them. */
export interface ModelOutbox {
  readonly store: OutboxStore &
    Pick<Store, "loadPushConfig" | "listPushConfigs" | "deletePushConfig">;
  has(key: PushQueue): boolean;
  /** How many configurations a task has. */
  countOf(taskId: string): number;
  /** How many bytes each configuration of a caller takes. */
  weightsOf(subject: string, agent: string): readonly number[];
  save(record: PushConfigRecord, scope: Scope): void;
  /** Queues notifications of new entries, and returns how many. */
  notify(taskId: string, entries: readonly LogEntry[], notifyAt: number): number;
  /** Forgets the configurations of other tasks. */
  keep(stays: (record: PushConfigRecord) => boolean): void;
}

export function createModelOutbox(): ModelOutbox {
  let configs: readonly ModelConfig[] = [];

  const findConfig = (key: PushQueue): ModelConfig | undefined =>
    configs.find(({ record }) => isSameQueue(record, key));

  const change = (key: PushQueue, to: (one: ModelConfig) => ModelConfig): void => {
    configs = configs.map((one) => (isSameQueue(one.record, key) ? to(one) : one));
  };

  const dueOf = (agent: string): ModelConfig[] =>
    configs
      .filter((one) => one.agent === agent && one.waiting.length > 0)
      .toSorted((left, right) => left.dueAt - right.dueAt);

  const store: ModelOutbox["store"] = {
    loadPushConfig: async (taskId, configId) => findConfig({ taskId, configId })?.record,
    listPushConfigs: async (taskId, after, limit) =>
      configs
        .map(({ record }) => record)
        .filter((one) => one.taskId === taskId && (after === undefined || one.configId > after))
        .toSorted((left, right) => (left.configId < right.configId ? -1 : 1))
        .slice(0, limit),
    async deletePushConfig(taskId, configId) {
      configs = configs.filter(({ record }) => !isSameQueue(record, { taskId, configId }));
    },

    async claimQueues({ agent, node, now, until, limit, ahead, perHost, taken }) {
      const counts = new Map(taken);
      const claimed = dueOf(agent)
        .filter(({ dueAt }) => dueAt <= now)
        .filter(({ record: { host } }) => {
          counts.set(host, (counts.get(host) ?? 0) + 1);
          return (counts.get(host) ?? 0) <= perHost;
        })
        .slice(0, limit);
      return claimed.map(({ record, waiting, attempts }) => {
        change(record, (one) => ({ ...one, node, dueAt: until, attempts: attempts + 1 }));
        const { taskId, configId, host } = record;
        return { taskId, configId, host, attempts, deliveries: waiting.slice(0, ahead) };
      });
    },
    async settleQueue({ taskId, configId, arrived = [], buried, release }) {
      change({ taskId, configId }, (one) => {
        const missing = one.waiting.filter(({ sequence }) => !arrived.includes(sequence));
        const givenUp = missing.filter(({ sequence }) => buried?.sequences.includes(sequence));
        const left = missing.filter((each) => !givenUp.includes(each));
        const { node, ...rest } = one;
        const isReleased = left.length === 0 || (release !== undefined && release.node === node);
        return {
          ...(isReleased ? rest : one),
          waiting: left,
          buried: [
            ...one.buried.filter(({ sequence }) => !arrived.includes(sequence)),
            ...givenUp.map(({ sequence }) => ({ sequence, reason: buried?.reason ?? "" })),
          ],
          attempts: left[0] === one.waiting[0] ? one.attempts : 0,
          ...(isReleased && { dueAt: release?.dueAt ?? 0 }),
        };
      });
    },
    nextDeliveryAt: async (agent) => dueOf(agent)[0]?.dueAt,
    listBuried: async ({ agent, after, limit }) =>
      configs
        .filter((one) => one.agent === agent)
        .flatMap(({ record: { taskId, configId }, buried }) =>
          buried.map((one) => ({ taskId, configId, ...one })),
        )
        .filter((one) => after === undefined || isAfter(one, after))
        .toSorted((left, right) => (isAfter(left, right) ? 1 : -1))
        .slice(0, limit),
    async reviveDelivery({ sequence, ...key }, now) {
      const isBuried = findConfig(key)?.buried.some((one) => one.sequence === sequence) === true;
      if (!isBuried) return false;
      change(key, (one) => {
        const buried = one.buried.filter((each) => each.sequence !== sequence);
        const revived = withWaiting({ ...one, buried }, [{ sequence, queuedAt: now }]);
        return atOnce(revived, now);
      });
      return true;
    },
    async countDeliveries(agent) {
      const its = configs.filter((one) => one.agent === agent);
      const sum = (of: "waiting" | "buried"): number =>
        its.reduce((count, one) => count + one[of].length, 0);
      return { waiting: sum("waiting"), buried: sum("buried") };
    },
  };

  return {
    store,
    has: (key) => findConfig(key) !== undefined,
    countOf: (taskId) => configs.filter(({ record }) => record.taskId === taskId).length,
    weightsOf: (subject, agent) =>
      configs
        .filter((one) => one.subject === subject && one.agent === agent)
        .map(({ record }) => JSON.stringify(record.config).length),
    save(record, { agent, subject }) {
      const empty = { agent, subject, waiting: [], buried: [], attempts: 0, dueAt: 0 };
      if (findConfig(record) === undefined) configs = [...configs, { ...empty, record }];
      else change(record, (one) => ({ ...atOnce(one, 0), record }));
    },
    notify: (taskId, entries, notifyAt) =>
      configs.reduce((count, { record: config }) => {
        if (config.taskId !== taskId) return count;
        const told = entries.filter(
          ({ event }) => pushRankOf(event) <= pushDetails.indexOf(config.detail),
        );
        const added = told.map((entry) => ({ sequence: entry.sequence, queuedAt: notifyAt }));
        change(config, (one) => withWaiting(one, added));
        return count + told.length;
      }, 0),
    keep(stays) {
      configs = configs.filter(({ record }) => stays(record));
    },
  };
}

function isAfter(left: DeliveryKey, right: DeliveryKey): boolean {
  if (left.taskId !== right.taskId) return left.taskId > right.taskId;
  if (left.configId !== right.configId) return left.configId > right.configId;
  return left.sequence > right.sequence;
}
