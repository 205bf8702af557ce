import type { PushConfigRecord, PushQueue, QueuedDelivery } from "../store/internal.js";

/** A push configuration of the model, and its queue. */
export interface ModelConfig {
  readonly record: PushConfigRecord;
  readonly subject: string;
  readonly agent: string;
  /** By ascending sequence. */
  readonly waiting: readonly QueuedDelivery[];
  readonly buried: readonly { readonly sequence: number; readonly reason: string }[];
  readonly attempts: number;
  readonly dueAt: number;
  readonly node?: string;
}

export function isSameQueue(left: PushQueue, right: PushQueue): boolean {
  return left.taskId === right.taskId && left.configId === right.configId;
}

/** An empty queue is due from its first delivery on; a queue with deliveries keeps its time. */
export function withWaiting(one: ModelConfig, added: readonly QueuedDelivery[]): ModelConfig {
  const [first] = added;
  if (first === undefined) return one;
  const waiting = [...one.waiting, ...added].toSorted(
    (left, right) => left.sequence - right.sequence,
  );
  return { ...one, waiting, ...(one.waiting.length === 0 && { dueAt: first.queuedAt }) };
}

/** Makes a queue due and resets its attempts, unless it is claimed. */
export function atOnce(one: ModelConfig, now: number): ModelConfig {
  return one.node === undefined ? { ...one, attempts: 0, dueAt: now } : one;
}
