import { A2AError, isTerminal } from "../protocol/index.js";
import type { Message } from "../protocol/index.js";
import type {
  Append,
  Checkpoint,
  Delivery,
  DeliveryKey,
  IdempotencyClaim,
  LogEntry,
  Owner,
  PushConfigRecord,
  Store,
  StoredTask,
  TaskRecord,
} from "../store/index.js";

interface ModelTask {
  record: TaskRecord;
  checkpoint?: Checkpoint;
  entries: readonly LogEntry[];
  readonly bytes: number;
}

interface ModelKey {
  readonly owner: Owner;
  readonly claim: IdempotencyClaim;
  readonly taskId?: string;
  readonly reply?: Message;
}

type ModelDelivery = Delivery & { readonly dueAt: number; readonly reason?: string };

/**
 * What a store is, in as few words as possible: lists that every question goes through from end to end.
 * Far too slow to use, and short enough to be seen to be right; engines are compared with it.
 */
export function createStoreModel(): Store {
  let tasks: readonly ModelTask[] = [];
  let messages: readonly { owner: Owner; messageId: string; taskId: string }[] = [];
  let keys: readonly ModelKey[] = [];
  let configs: readonly PushConfigRecord[] = [];
  let deliveries: readonly ModelDelivery[] = [];
  const nodes = new Map<string, number>();
  const secrets = new Map<string, string>();

  const find = (taskId: string): ModelTask | undefined =>
    tasks.find(({ record }) => record.taskId === taskId);

  const findKey = (owner: Owner, key: string): ModelKey | undefined =>
    keys.find((one) => isSame(one.owner, owner) && one.claim.key === key);

  const saveKey = (key: ModelKey): void => {
    if (findKey(key.owner, key.claim.key) !== undefined) throw conflict();
    keys = [...keys, key];
  };

  const firstWaiting = (): ModelDelivery[] =>
    deliveries.filter(
      (one) =>
        one.reason === undefined &&
        !deliveries.some((other) => isEarlier(other, one) && other.reason === undefined),
    );

  const changeDelivery = (
    key: DeliveryKey,
    change: (one: ModelDelivery) => readonly ModelDelivery[],
  ): void => {
    deliveries = deliveries.flatMap((one) => (isSameDelivery(one, key) ? change(one) : [one]));
  };

  const append = async (write: Append): Promise<void> => {
    const { taskId, create, status, idempotency, node } = write;
    const known = find(taskId);
    const at = known?.record ?? { sequence: 0, epoch: write.epoch };
    if ((known === undefined) !== (create !== undefined)) throw conflict();
    if (at.sequence !== write.expectedSequence || at.epoch !== write.epoch) throw conflict();
    if (known !== undefined && isTerminal(known.record.state)) {
      throw new A2AError("UNSUPPORTED_OPERATION", "the task has ended");
    }
    const owner = known?.record.owner ?? create?.owner;
    if (owner === undefined) throw conflict();
    if (idempotency !== undefined) saveKey({ owner, claim: idempotency, taskId });

    const sequence = at.sequence + write.events.length;
    const entries = write.events.map((event, index) => ({
      sequence: at.sequence + index + 1,
      event,
    }));
    const { node: before, ...record } = {
      ...(known?.record ?? { taskId, ...create }),
    } as TaskRecord;
    const after = node === undefined ? before : (node ?? undefined);
    const task: ModelTask = {
      ...known,
      entries: [...(known?.entries ?? []), ...entries],
      bytes: write.bytes ?? known?.bytes ?? 0,
      record: {
        ...record,
        sequence,
        epoch: write.epoch,
        ...(status && { state: status.state, statusAt: status.at }),
        ...(after !== undefined && { node: after }),
      },
      ...(write.checkpoint && { checkpoint: { sequence, task: write.checkpoint } }),
    };
    tasks = [...tasks.filter((one) => one !== known), task];
    for (const messageId of write.messageIds ?? []) {
      const isKnown = messages.some(
        (one) => isSame(one.owner, owner) && one.messageId === messageId,
      );
      if (!isKnown) messages = [...messages, { owner, messageId, taskId }];
    }
    const added = (write.deliveries ?? []).map((one) => ({
      taskId,
      ...one,
      attempts: 0,
      dueAt: 0,
    }));
    deliveries = [...deliveries, ...added];
  };

  return {
    description: "a model",
    append,
    read: async (taskId, after, limit) =>
      (find(taskId)?.entries ?? []).filter(({ sequence }) => sequence > after).slice(0, limit),
    load: async (taskId) => toStored(find(taskId)),
    loadRecord: async (taskId) => find(taskId)?.record,
    async list({ owner, tenant, agent, contextId, state, statusSince, after, limit }) {
      const matching = tasks.filter(
        ({ record }) =>
          (owner === undefined || isSame(record.owner, owner)) &&
          (tenant === undefined || record.owner.tenant === tenant) &&
          record.agent === agent &&
          (contextId === undefined || record.contextId === contextId) &&
          (state === undefined || record.state === state) &&
          (statusSince === undefined || record.statusAt >= statusSince),
      );
      const page = matching
        .filter(({ record }) => after === undefined || compare(record, after) < 0)
        .toSorted((left, right) => compare(right.record, left.record))
        .slice(0, limit);
      return { tasks: page.flatMap((task) => toStored(task) ?? []), totalSize: matching.length };
    },
    async loadUsage(subject, agent) {
      const its = tasks.filter(
        ({ record }) => record.owner.subject === subject && record.agent === agent,
      );
      return { tasks: its.length, bytes: its.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
    findByMessageId: async (owner, messageId) =>
      messages.find((one) => isSame(one.owner, owner) && one.messageId === messageId)?.taskId,
    async deleteEnded(before, limit) {
      const deleted = tasks
        .filter(({ record }) => isTerminal(record.state) && record.statusAt < before)
        .slice(0, limit)
        .map(({ record }) => record.taskId);
      const stays = ({ taskId }: { readonly taskId?: string }): boolean =>
        taskId === undefined || !deleted.includes(taskId);
      tasks = tasks.filter(({ record }) => stays(record));
      messages = messages.filter(stays);
      keys = keys.filter(stays);
      configs = configs.filter(stays);
      deliveries = deliveries.filter(stays);
      return deleted.length;
    },

    renewNode: async (node, until) => void nodes.set(node, until),
    releaseNode: async (node) => void nodes.delete(node),
    async claim({ taskId, node, epoch }) {
      const task = find(taskId);
      if (task?.record.epoch !== epoch || isTerminal(task.record.state)) return undefined;
      task.record = { ...task.record, node, epoch: epoch + 1 };
      return task.record.epoch;
    },
    findAbandoned: async (agent, now, limit) =>
      tasks
        .map(({ record }) => record)
        .filter(
          ({ agent: its, state, node }) =>
            its === agent &&
            (state === "TASK_STATE_SUBMITTED" || state === "TASK_STATE_WORKING") &&
            (node === undefined || (nodes.get(node) ?? -Infinity) <= now),
        )
        .slice(0, limit)
        .map(({ taskId }) => taskId),

    async savePushConfig(record) {
      configs = [...configs.filter((one) => !isSameConfig(one, record)), record];
    },
    loadPushConfig: async (taskId, configId) =>
      configs.find((one) => isSameConfig(one, { taskId, configId })),
    listPushConfigs: async (taskId, after, limit) =>
      configs
        .filter((one) => one.taskId === taskId && (after === undefined || one.configId > after))
        .toSorted((left, right) => (left.configId < right.configId ? -1 : 1))
        .slice(0, limit),
    async deletePushConfig(taskId, configId) {
      configs = configs.filter((one) => !isSameConfig(one, { taskId, configId }));
      deliveries = deliveries.filter((one) => !isSameConfig(one, { taskId, configId }));
    },

    async claimDeliveries({ now, until, limit }) {
      const claimed = firstWaiting()
        .filter(({ dueAt }) => dueAt <= now)
        .slice(0, limit);
      deliveries = deliveries.map((one) =>
        claimed.includes(one) ? { ...one, attempts: one.attempts + 1, dueAt: until } : one,
      );
      return claimed.map(({ taskId, configId, sequence, attempts }) => ({
        taskId,
        configId,
        sequence,
        attempts,
      }));
    },
    completeDelivery: async (key) => changeDelivery(key, () => []),
    postponeDelivery: async (key, retryAt) =>
      changeDelivery(key, (one) => [{ ...one, dueAt: retryAt }]),
    buryDelivery: async (key, reason) =>
      changeDelivery(key, (one) => [{ ...one, reason: one.reason ?? reason }]),
    listBuried: async (limit) =>
      deliveries
        .flatMap(({ taskId, configId, sequence, reason }) =>
          reason === undefined ? [] : [{ taskId, configId, sequence, reason }],
        )
        .slice(0, limit),
    reviveDelivery: async (key) =>
      changeDelivery(key, ({ reason, ...one }) =>
        reason === undefined ? [one] : [{ ...one, attempts: 0, dueAt: 0 }],
      ),
    nextDeliveryAt: async () =>
      firstWaiting()
        .map(({ dueAt }) => dueAt)
        .toSorted((left, right) => left - right)[0],

    async loadIdempotentResult(owner, key, now) {
      const found = findKey(owner, key);
      if (found === undefined || found.claim.expiresAt <= now) return undefined;
      const { claim, taskId, reply } = found;
      return {
        requestHash: claim.requestHash,
        ...(taskId !== undefined && { taskId }),
        ...(reply !== undefined && { reply }),
      };
    },
    saveReply: async (owner, claim, reply) => saveKey({ owner, claim, reply }),
    async deleteExpiredKeys(now, limit) {
      const expired = keys.filter(({ claim }) => claim.expiresAt <= now).slice(0, limit);
      keys = keys.filter((key) => !expired.includes(key));
      return expired.length;
    },

    async settleSecret(name, proposed) {
      const value = secrets.get(name) ?? proposed;
      secrets.set(name, value);
      return value;
    },

    check: async () => {},
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

function toStored(task: ModelTask | undefined): StoredTask | undefined {
  if (task === undefined) return undefined;
  const { record, checkpoint, entries } = task;
  const tail = entries.filter(({ sequence }) => sequence > (checkpoint?.sequence ?? 0));
  return { record, ...(checkpoint && { checkpoint }), tail };
}

type Place = Pick<TaskRecord, "statusAt" | "taskId">;

function compare(left: Place, right: Place): number {
  if (left.statusAt !== right.statusAt) return left.statusAt - right.statusAt;
  return left.taskId === right.taskId ? 0 : left.taskId < right.taskId ? -1 : 1;
}

function isSame(left: Owner, right: Owner): boolean {
  return left.tenant === right.tenant && left.subject === right.subject;
}

type ConfigKey = Pick<DeliveryKey, "taskId" | "configId">;

function isSameConfig(left: ConfigKey, right: ConfigKey): boolean {
  return left.taskId === right.taskId && left.configId === right.configId;
}

function isSameDelivery(left: DeliveryKey, right: DeliveryKey): boolean {
  return isSameConfig(left, right) && left.sequence === right.sequence;
}

function isEarlier(left: DeliveryKey, right: DeliveryKey): boolean {
  return isSameConfig(left, right) && left.sequence < right.sequence;
}

function conflict(): A2AError {
  return new A2AError("CONCURRENT_MODIFICATION", "something is not as the writer thinks");
}
