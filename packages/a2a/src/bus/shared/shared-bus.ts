import { atTurnsEnd, delayAtMost, foregroundClock } from "../../async/internal.js";
import type { Bus, BusSubscription } from "../bus.js";
import { Subscribers } from "../subscribers.js";
import type { Carrier, Ears } from "./carrier.js";
import { hashOf } from "./hash-of.js";
import { Outbox } from "./outbox.js";

export interface SharedBusOptions {
  readonly description: string;
  readonly connect: (ears: Ears) => Carrier;
}

const ready = Promise.resolve();

/** A message of this many characters fits into one text of any carrier. */
const maxMessageLength = 1000;

/** How long closing waits until what was published before is sent. */
const lastWordsMs = 1000;

/**
 * A bus that several processes share. Subscribers of this process are told directly; a carrier takes what was published to
 * the others: all of a turn at once, and while one batch is under way all that comes meanwhile.
 */
export function createSharedBus({ description, connect }: SharedBusOptions): Bus {
  const tasks = new Subscribers<number>();
  const topics = new Subscribers<string>();
  const losses = new Subscribers<void>();
  /** The tasks that somebody here follows, by their keys. */
  const followed = new Map<string, string>();
  const outbox = new Outbox();
  let wasConnected = false;
  let isPlanned = false;
  let sending: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  const lose = (): void => losses.tell("", undefined);
  const carrier = connect({
    wake(key, sequence) {
      const taskId = followed.get(key);
      if (taskId !== undefined) tasks.tell(taskId, sequence);
    },
    hear: (topic, message) => topics.tell(topic, message),
    miss: lose,
    change() {
      void sendAll();
      if (wasConnected === carrier.isConnected) return;
      wasConnected = carrier.isConnected;
      lose();
    },
  });

  async function sendBatches(): Promise<void> {
    while (!outbox.isEmpty && carrier.isSending) {
      const batch = outbox.take();
      try {
        await carrier.send({ ...batch, wakeUps: byKey(batch.wakeUps) });
      } catch {
        outbox.putBack(batch);
        return;
      }
    }
  }
  // In messages a hash stands for a task. If two tasks have the same, one may be woken later.
  // It costs more than all the rest of publishing, so it is made for what is sent.
  const byKey = (wakeUps: ReadonlyMap<string, number>): Map<string, number> =>
    new Map(Array.from(wakeUps, ([taskId, sequence]) => [hashOf(taskId), sequence]));
  const sendAll = (): Promise<void> =>
    (sending ??= sendBatches().finally(() => (sending = undefined)));
  const sendSoon = (): void => {
    if (isPlanned || !carrier.isSending) return;
    isPlanned = true;
    atTurnsEnd(() => {
      isPlanned = false;
      void sendAll();
    });
  };

  const close = async (): Promise<void> => {
    tasks.clear();
    followed.clear();
    topics.clear();
    losses.clear();
    const sent = new AbortController();
    void sendAll().then(() => sent.abort());
    await delayAtMost(foregroundClock, lastWordsMs, sent.signal);
    await carrier.close();
  };

  return {
    description,
    isShared: true,
    get isConnected() {
      return closing === undefined && carrier.isConnected;
    },
    publish(taskId, sequence) {
      if (closing !== undefined) return;
      tasks.tell(taskId, sequence);
      outbox.add(taskId, sequence);
      sendSoon();
    },
    subscribe(taskId, wake): BusSubscription {
      if (closing !== undefined) return { ready, stop: () => {} };
      const key = hashOf(taskId);
      const end = tasks.add(taskId, wake);
      followed.set(key, taskId);
      const stop = (): void => {
        end();
        if (tasks.has(taskId)) return;
        followed.delete(key);
        carrier.unfollow?.(key);
      };
      return { ready: carrier.follow?.(key) ?? ready, stop };
    },
    publishTopic(topic, message) {
      if (closing !== undefined) return;
      topics.tell(topic, message);
      if (message.length > maxMessageLength) return;
      outbox.tell({ topic, message });
      sendSoon();
    },
    subscribeTopic: (topic, hear) =>
      closing === undefined ? { ready, stop: topics.add(topic, hear) } : { ready, stop: () => {} },
    onLost: (callback) => (closing === undefined ? losses.add("", callback) : () => {}),
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}
