import type { NewDelivery } from "../append.js";
import type { Delivery, DeliveryKey } from "../outbox-store.js";
import { compareStrings, SortedList } from "./sorted-list.js";

interface Waiting {
  readonly sequence: number;
  attempts: number;
  /** When it was postponed to or its claim ends; 0 when neither was ever the case. */
  dueAt: number;
}

/** The deliveries of one task to one configuration. */
interface Queue {
  readonly taskId: string;
  readonly configId: string;
  readonly waiting: SortedList<Waiting>;
  /** Reasons by sequence. */
  readonly buried: Map<number, string>;
}

/** Notifications to be sent. Queues are kept in the order in which their first delivery is due. */
export class Outbox {
  readonly #queues: Map<string, Map<string, Queue>> = new Map();
  readonly #due: SortedList<Queue> = new SortedList(
    (left, right) =>
      dueAt(left) - dueAt(right) ||
      compareStrings(left.taskId, right.taskId) ||
      compareStrings(left.configId, right.configId),
  );

  add(taskId: string, { configId, sequence }: NewDelivery): void {
    const queue = this.#queues.get(taskId)?.get(configId) ?? openQueue(taskId, configId);
    if (find(queue, sequence) !== undefined || queue.buried.has(sequence)) return;
    this.#change(queue, () => queue.waiting.add({ sequence, attempts: 0, dueAt: 0 }));
  }

  claim(now: number, until: number, limit: number): readonly Delivery[] {
    const count = this.#due.countBefore((queue) => dueAt(queue) <= now);
    return this.#due.slice(0, Math.min(count, limit)).flatMap((queue) => {
      const first = queue.waiting.at(0);
      if (first === undefined) return [];
      const { taskId, configId } = queue;
      const { sequence, attempts } = first;
      this.#change(queue, () => Object.assign(first, { attempts: attempts + 1, dueAt: until }));
      return [{ taskId, configId, sequence, attempts }];
    });
  }

  complete(key: DeliveryKey): void {
    this.#changeOne(key, (queue, delivery) => {
      if (delivery !== undefined) queue.waiting.remove(delivery);
      queue.buried.delete(key.sequence);
    });
  }

  postpone(key: DeliveryKey, retryAt: number): void {
    this.#changeOne(key, (_, delivery) => {
      if (delivery !== undefined) delivery.dueAt = retryAt;
    });
  }

  bury(key: DeliveryKey, reason: string): void {
    this.#changeOne(key, (queue, delivery) => {
      if (delivery === undefined) return;
      queue.waiting.remove(delivery);
      queue.buried.set(key.sequence, reason);
    });
  }

  revive(key: DeliveryKey): void {
    this.#changeOne(key, (queue) => {
      const { sequence } = key;
      if (queue.buried.delete(sequence)) queue.waiting.add({ sequence, attempts: 0, dueAt: 0 });
    });
  }

  listBuried(limit: number): (DeliveryKey & { readonly reason: string })[] {
    const found = [];
    for (const queues of this.#queues.values()) {
      for (const { taskId, configId, buried } of queues.values()) {
        for (const [sequence, reason] of buried) {
          if (found.length >= limit) return found;
          found.push({ taskId, configId, sequence, reason });
        }
      }
    }
    return found;
  }

  nextAt(): number | undefined {
    const queue = this.#due.at(0);
    return queue && dueAt(queue);
  }

  deleteConfig(taskId: string, configId: string): void {
    const queue = this.#queues.get(taskId)?.get(configId);
    if (queue !== undefined) this.#delete(queue);
  }

  deleteTask(taskId: string): void {
    for (const queue of this.#queues.get(taskId)?.values() ?? []) this.#delete(queue);
  }

  #changeOne(
    { taskId, configId, sequence }: DeliveryKey,
    change: (queue: Queue, delivery: Waiting | undefined) => void,
  ): void {
    const queue = this.#queues.get(taskId)?.get(configId);
    if (queue !== undefined) this.#change(queue, () => change(queue, find(queue, sequence)));
  }

  /** Takes the queue out while its place may change, and puts it back unless nothing is left of it. */
  #change(queue: Queue, change: () => void): void {
    this.#delete(queue);
    change();
    const { taskId, configId, waiting, buried } = queue;
    if (waiting.size === 0 && buried.size === 0) return;
    let queues = this.#queues.get(taskId);
    if (queues === undefined) this.#queues.set(taskId, (queues = new Map()));
    queues.set(configId, queue);
    if (waiting.size > 0) this.#due.add(queue);
  }

  #delete(queue: Queue): void {
    if (queue.waiting.size > 0) this.#due.remove(queue);
    const queues = this.#queues.get(queue.taskId);
    queues?.delete(queue.configId);
    if (queues?.size === 0) this.#queues.delete(queue.taskId);
  }
}

function openQueue(taskId: string, configId: string): Queue {
  const waiting = new SortedList<Waiting>((left, right) => left.sequence - right.sequence);
  return { taskId, configId, waiting, buried: new Map() };
}

function find({ waiting }: Queue, sequence: number): Waiting | undefined {
  const found = waiting.at(waiting.countBefore((delivery) => delivery.sequence < sequence));
  return found?.sequence === sequence ? found : undefined;
}

/** Only queues with something waiting are asked. */
function dueAt(queue: Queue): number {
  return queue.waiting.at(0)?.dueAt ?? 0;
}
