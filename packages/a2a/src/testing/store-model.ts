import { A2AError, isTerminal } from "../protocol/internal.js";
import type { Message, TaskState } from "../protocol/internal.js";
import { checkPushConfigs, checkUsage, StoreConflict } from "../store/internal.js";
import type {
  Append,
  Appended,
  Checkpoint,
  ClaimedTask,
  IdempotencyClaim,
  StoreLimits,
  LogEntry,
  Owner,
  PushQueue,
  Scope,
  Store,
  StoredTask,
  TaskRecord,
  Usage,
} from "../store/internal.js";
import { createModelNodes } from "./store-model-nodes.js";
import { createModelOutbox } from "./store-model-outbox.js";

interface ModelTask {
  record: TaskRecord;
  checkpoint?: Checkpoint;
  entries: readonly LogEntry[];
}

interface ModelKey {
  readonly scope: Scope;
  readonly claim: IdempotencyClaim;
  readonly taskId?: string;
  readonly reply?: Message;
  /** The key is a second one for its reply. */
  readonly isAlias?: true;
}

/**
 * The simplest possible store: lists that every query goes over from end to end. Too slow to use, but short enough
 * to be checked by reading; other stores are compared with it. `now` is the store's time.
 */
export function createStoreModel(now: () => number): Store {
  let tasks: readonly ModelTask[] = [];
  let messages: readonly { scope: Scope; messageId: string; taskId: string }[] = [];
  let keys: readonly ModelKey[] = [];
  const nodes = createModelNodes(now);
  const outbox = createModelOutbox();
  const secrets = new Map<string, string>();

  const find = (taskId: string): ModelTask | undefined =>
    tasks.find(({ record }) => record.taskId === taskId);

  const findKey = (scope: Scope, key: string): ModelKey | undefined =>
    keys.find((one) => isSameScope(one.scope, scope) && one.claim.key === key);

  const checkKey = (scope: Scope, key: string, task?: ModelTask): void => {
    if (findKey(scope, key) !== undefined) throw conflict(task);
  };

  const claimTask = (task: ModelTask, node: string): number => {
    task.record = { ...task.record, node, epoch: task.record.epoch + 1 };
    return task.record.epoch;
  };

  const usageOf = (subject: string, agent: string): Usage => {
    const itsTasks = tasks.filter(
      ({ record }) => record.owner.subject === subject && record.agent === agent,
    );
    const itsReplies = keys.filter(
      ({ scope, reply, isAlias }) =>
        reply !== undefined &&
        isAlias !== true &&
        scope.subject === subject &&
        scope.agent === agent,
    );
    const weights = [
      ...itsTasks.map(({ record }) => record.bytes),
      ...itsReplies.map(({ reply }) => JSON.stringify(reply).length),
      ...outbox.weightsOf(subject, agent),
    ];
    return {
      tasks: itsTasks.length + itsReplies.length,
      bytes: weights.reduce((sum, bytes) => sum + bytes, 0),
    };
  };

  const checkLimits = (
    { subject, agent }: Scope,
    limits: StoreLimits,
    adds: "task" | "part",
    config?: PushQueue,
  ): void => {
    checkUsage(usageOf(subject, agent), limits, adds);
    if (config === undefined || outbox.has(config)) return;
    checkPushConfigs(outbox.countOf(config.taskId), limits);
  };

  const append = async (write: Append): Promise<Appended> => {
    const { taskId, create, status, idempotency, node, limits, pushConfig } = write;
    const known = find(taskId);
    const head = known?.record ?? { sequence: 0, epoch: write.epoch };
    const { expectedSequence } = write;
    if ((known === undefined) !== (create !== undefined)) throw conflict(known);
    if (expectedSequence !== undefined) {
      if (head.sequence !== expectedSequence || head.epoch !== write.epoch) throw conflict(known);
    }
    if (known !== undefined && isTerminal(known.record.state)) {
      throw new A2AError("UNSUPPORTED_OPERATION", "the task has ended");
    }
    if (known !== undefined && write.whileStates?.includes(known.record.state) === false) {
      throw conflict(known);
    }
    const parties = known?.record ?? create;
    if (parties === undefined) throw conflict(known);
    const scope = { ...parties.owner, agent: parties.agent };
    if (idempotency !== undefined) checkKey(scope, idempotency.key, known);
    if (limits !== undefined) {
      const config = pushConfig && { taskId, configId: pushConfig.configId };
      checkLimits(scope, limits, known === undefined ? "task" : "part", config);
    }
    if (idempotency !== undefined) keys = [...keys, { scope, claim: idempotency, taskId }];

    const at = now();
    const { epoch } = head;
    const sequence = head.sequence + write.events.length;
    const entries = write.events.map((event, index) => ({
      sequence: head.sequence + index + 1,
      at,
      event,
    }));
    const { node: before, ...record } = {
      ...(known?.record ?? { taskId, ...create }),
    } as TaskRecord;
    const after = node === undefined ? before : (node ?? undefined);
    const task: ModelTask = {
      ...known,
      entries: [...(known?.entries ?? []), ...entries],
      record: {
        ...record,
        sequence,
        bytes: write.bytes ?? known?.record.bytes ?? 0,
        epoch,
        ...(status && { state: status.state, statusAt: status.at }),
        ...(after !== undefined && { node: after }),
      },
      ...(write.checkpoint && { checkpoint: { sequence, task: write.checkpoint } }),
    };
    tasks = [...tasks.filter((one) => one !== known), task];
    for (const messageId of write.messageIds ?? []) {
      const isKnown = messages.some(
        (one) => isSameScope(one.scope, scope) && one.messageId === messageId,
      );
      if (!isKnown) messages = [...messages, { scope, messageId, taskId }];
    }
    if (pushConfig !== undefined) outbox.save({ ...pushConfig, taskId }, scope);
    const { notifyAt } = write;
    if (notifyAt === undefined) return { sequence, epoch, at, queued: 0 };
    const queued = outbox.notify(taskId, entries, notifyAt);
    return { sequence, epoch, at, queued };
  };

  return {
    description: "a model",
    isShared: false,
    append,
    read: async (taskId, after, limit) =>
      (find(taskId)?.entries ?? []).filter(({ sequence }) => sequence > after).slice(0, limit),
    load: async (taskId) => toStored(find(taskId)),
    loadRecord: async (taskId) => find(taskId)?.record,
    async list({ owner, tenant, agent, contextId, state, statusSince, after, limit, order }) {
      const matching = tasks.filter(
        ({ record }) =>
          (owner === undefined || isSame(record.owner, owner)) &&
          (tenant === undefined || record.owner.tenant === tenant) &&
          record.agent === agent &&
          (contextId === undefined || record.contextId === contextId) &&
          (state === undefined || record.state === state) &&
          (statusSince === undefined || record.statusAt >= statusSince),
      );
      const way = order === "oldest" ? -1 : 1;
      const page = matching
        .filter(({ record }) => after === undefined || way * compare(record, after) < 0)
        .toSorted((left, right) => way * compare(right.record, left.record))
        .slice(0, limit);
      return { tasks: page.flatMap((task) => toStored(task) ?? []), totalSize: matching.length };
    },
    listAgents: async () => [...new Set(tasks.map(({ record }) => record.agent))].toSorted(),
    loadUsage: async (subject, agent) => usageOf(subject, agent),
    findByMessageId: async (scope, messageId) =>
      messages.find((one) => isSameScope(one.scope, scope) && one.messageId === messageId)?.taskId,
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
      outbox.keep(stays);
      return deleted.length;
    },

    ...nodes,
    async claim({ taskId, node, epoch, sequence }) {
      const task = find(taskId);
      if (task?.record.epoch !== epoch || isTerminal(task.record.state)) return undefined;
      if (sequence !== undefined && sequence !== task.record.sequence) return undefined;
      return claimTask(task, node);
    },
    async claimAbandoned(agent, node, limit, { exceptSubjects = [], onlyReleased = false } = {}) {
      const known = onlyReleased ? await nodes.listNodes() : [];
      const claimed: ClaimedTask[] = [];
      for (const task of tasks) {
        const { taskId, sequence, agent: its, state, node: holder, owner } = task.record;
        if (its !== agent || !isActive(state) || holder === node) continue;
        if (exceptSubjects.includes(owner.subject)) continue;
        if (known.some((one) => one.node === holder)) continue;
        if (holder !== undefined && (await nodes.isLive(holder))) continue;
        if (claimed.length === limit) break;
        const isHandedOver = holder === undefined && ({ isHandedOver: true } as const);
        claimed.push({ taskId, epoch: claimTask(task, node), sequence, ...isHandedOver });
      }
      return claimed;
    },
    listHeld: async (agent, node) =>
      tasks
        .map(({ record }) => record)
        .filter((one) => one.agent === agent && one.node === node && isActive(one.state))
        .map(({ taskId }) => taskId),

    async savePushConfig(record, limits) {
      const task = find(record.taskId)?.record;
      if (task === undefined) return false;
      const scope = { ...task.owner, agent: task.agent };
      if (limits !== undefined) checkLimits(scope, limits, "part", record);
      outbox.save(record, scope);
      return true;
    },
    ...outbox.store,

    async loadIdempotentResult(scope, key, now) {
      const found = findKey(scope, key);
      if (found === undefined || found.claim.expiresAt <= now) return undefined;
      const { claim, taskId, reply } = found;
      return {
        requestHash: claim.requestHash,
        ...(taskId !== undefined && { taskId }),
        ...(reply !== undefined && { reply }),
      };
    },
    async saveReply(scope, claim, reply, limits) {
      checkKey(scope, claim.key);
      if (limits !== undefined) checkLimits(scope, limits, "task");
      keys = [...keys, { scope, claim, reply }];
      const { alias } = claim;
      if (alias !== undefined && findKey(scope, alias) === undefined) {
        keys = [...keys, { scope, claim: { ...claim, key: alias }, reply, isAlias: true }];
      }
    },
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

function isSameScope(left: Scope, right: Scope): boolean {
  return isSame(left, right) && left.agent === right.agent;
}

function isActive(state: TaskState): boolean {
  return state === "TASK_STATE_SUBMITTED" || state === "TASK_STATE_WORKING";
}

function conflict(task?: ModelTask): StoreConflict {
  const { sequence = 0, epoch = 0, state = "TASK_STATE_UNSPECIFIED" } = task?.record ?? {};
  const head = task && { sequence, epoch, state };
  return new StoreConflict("something is not as the writer thinks", head);
}
