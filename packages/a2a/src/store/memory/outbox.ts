import type {
  BuriedDelivery,
  ClaimedQueue,
  DeliveryKey,
  PushQueue,
  QueueClaim,
  QueuedDelivery,
  QueueSettlement,
} from "../outbox-store.js";
import { compareStrings, SortedList } from "./sorted-list.js";

interface Queue extends PushQueue {
  readonly agent: string;
  host: string;
  /** By ascending sequence. */
  waiting: QueuedDelivery[];
  /** Reasons by sequence. */
  readonly buried: Map<number, string>;
  attempts: number;
  dueAt: number;
  /** The node that has claimed the queue. */
  node: string | undefined;
}

/** The queues of push configurations. Queues with waiting deliveries are sorted by the time they are due. */
export class Outbox {
  readonly #queues: Map<string, Map<string, Queue>> = new Map();
  readonly #due: Map<string, SortedList<Queue>> = new Map();

  add(
    key: PushQueue,
    target: { readonly agent: string; readonly host: string },
    deliveries: readonly QueuedDelivery[],
  ): void {
    const queue = this.#find(key) ?? openQueue(key, target);
    this.#change(queue, () => enqueue(queue, deliveries));
  }

  claim(claim: QueueClaim): ClaimedQueue[] {
    const { now, until, limit, ahead, perHost, node } = claim;
    const due = this.#due.get(claim.agent);
    if (due === undefined) return [];
    const taken = new Map(claim.taken);
    const claimed: Queue[] = [];
    for (let index = 0; claimed.length < limit; index += 1) {
      const queue = due.at(index);
      if (queue === undefined || queue.dueAt > now) break;
      const count = taken.get(queue.host) ?? 0;
      if (count >= perHost) continue;
      taken.set(queue.host, count + 1);
      claimed.push(queue);
    }
    return claimed.map((queue) => {
      const { taskId, configId, host, attempts, waiting } = queue;
      this.#change(queue, () =>
        Object.assign(queue, { node, dueAt: until, attempts: attempts + 1 }),
      );
      return { taskId, configId, host, attempts, deliveries: waiting.slice(0, ahead) };
    });
  }

  settle({ arrived = [], buried, release, ...key }: QueueSettlement): void {
    const queue = this.#find(key);
    if (queue === undefined) return;
    this.#change(queue, () => {
      const [first] = queue.waiting;
      for (const sequence of arrived) queue.buried.delete(sequence);
      const givenUp = new Set(buried?.sequences);
      for (const sequence of arrived) givenUp.delete(sequence);
      if (buried !== undefined) {
        for (const { sequence } of queue.waiting) {
          if (givenUp.has(sequence)) queue.buried.set(sequence, buried.reason);
        }
      }
      removeFrom(queue, new Set([...arrived, ...givenUp]));
      if (queue.waiting[0] !== first) queue.attempts = 0;
      if (release === undefined || release.node !== queue.node) return;
      Object.assign(queue, { node: undefined, dueAt: release.dueAt });
    });
  }

  revive({ sequence, ...key }: DeliveryKey, now: number): boolean {
    const queue = this.#find(key);
    if (queue?.buried.has(sequence) !== true) return false;
    this.#change(queue, () => {
      queue.buried.delete(sequence);
      enqueue(queue, [{ sequence, queuedAt: now }]);
      if (queue.node === undefined) Object.assign(queue, { dueAt: now, attempts: 0 });
    });
    return true;
  }

  /** The configuration of the queue was replaced. */
  retarget(key: PushQueue, host: string): void {
    const queue = this.#find(key);
    if (queue === undefined) return;
    this.#change(queue, () => {
      queue.host = host;
      if (queue.node === undefined) Object.assign(queue, { dueAt: 0, attempts: 0 });
    });
  }

  listBuried(agent: string, after: DeliveryKey | undefined, limit: number): BuriedDelivery[] {
    return this.#of(agent)
      .flatMap(({ taskId, configId, buried }) =>
        Array.from(buried, ([sequence, reason]) => ({ taskId, configId, sequence, reason })),
      )
      .filter((one) => after === undefined || compareKeys(one, after) > 0)
      .toSorted(compareKeys)
      .slice(0, limit);
  }

  count(agent: string): { waiting: number; buried: number } {
    const count = { waiting: 0, buried: 0 };
    for (const { waiting, buried } of this.#of(agent)) {
      count.waiting += waiting.length;
      count.buried += buried.size;
    }
    return count;
  }

  nextAt(agent: string): number | undefined {
    return this.#due.get(agent)?.at(0)?.dueAt;
  }

  deleteConfig(key: PushQueue): void {
    const queue = this.#find(key);
    if (queue !== undefined) this.#delete(queue);
  }

  deleteTask(taskId: string): void {
    for (const queue of this.#queues.get(taskId)?.values() ?? []) this.#delete(queue);
  }

  #find({ taskId, configId }: PushQueue): Queue | undefined {
    return this.#queues.get(taskId)?.get(configId);
  }

  #of(agent: string): Queue[] {
    return Array.from(this.#queues.values(), (queues) => Array.from(queues.values()))
      .flat()
      .filter((queue) => queue.agent === agent);
  }

  /** Removes the queue from the index while it changes, and adds it again unless it is empty. */
  #change(queue: Queue, change: () => void): void {
    this.#delete(queue);
    change();
    const { taskId, configId, waiting, buried, agent } = queue;
    if (waiting.length === 0) queue.node = undefined;
    if (waiting.length === 0 && buried.size === 0) return;
    let queues = this.#queues.get(taskId);
    if (queues === undefined) this.#queues.set(taskId, (queues = new Map()));
    queues.set(configId, queue);
    if (waiting.length === 0) return;
    let due = this.#due.get(agent);
    if (due === undefined) this.#due.set(agent, (due = new SortedList(compareQueues)));
    due.add(queue);
  }

  #delete(queue: Queue): void {
    if (queue.waiting.length > 0) this.#due.get(queue.agent)?.remove(queue);
    const queues = this.#queues.get(queue.taskId);
    queues?.delete(queue.configId);
    if (queues?.size === 0) this.#queues.delete(queue.taskId);
  }
}

function openQueue(
  { taskId, configId }: PushQueue,
  { agent, host }: { readonly agent: string; readonly host: string },
): Queue {
  const buried = new Map<number, string>();
  const state = { waiting: [], buried, attempts: 0, dueAt: 0, node: undefined };
  return { taskId, configId, agent, host, ...state };
}

function enqueue(queue: Queue, deliveries: readonly QueuedDelivery[]): void {
  const [first] = deliveries;
  if (first === undefined) return;
  if (queue.waiting.length === 0) Object.assign(queue, { dueAt: first.queuedAt, attempts: 0 });
  const last = queue.waiting.at(-1)?.sequence ?? 0;
  for (const delivery of deliveries) queue.waiting.push(delivery);
  if (first.sequence < last) queue.waiting.sort((left, right) => left.sequence - right.sequence);
}

/** Mostly the first deliveries are removed, so those are cut off without going over the rest. */
function removeFrom(queue: Queue, gone: ReadonlySet<number>): void {
  const isGone = ({ sequence }: QueuedDelivery): boolean => gone.has(sequence);
  const index = queue.waiting.findIndex((delivery) => !isGone(delivery));
  const count = index === -1 ? queue.waiting.length : index;
  queue.waiting.splice(0, count);
  if (count < gone.size) queue.waiting = queue.waiting.filter((delivery) => !isGone(delivery));
}

function compareQueues(left: Queue, right: Queue): number {
  return (
    left.dueAt - right.dueAt ||
    compareStrings(left.taskId, right.taskId) ||
    compareStrings(left.configId, right.configId)
  );
}

function compareKeys(left: DeliveryKey, right: DeliveryKey): number {
  return (
    compareStrings(left.taskId, right.taskId) ||
    compareStrings(left.configId, right.configId) ||
    left.sequence - right.sequence
  );
}
