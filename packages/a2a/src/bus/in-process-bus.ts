import type { Bus, BusSubscription } from "./bus.js";

/** Drops its function when it ends, because hash tables may keep the subscription in memory for longer. */
interface Subscription<Heard> {
  hear: ((heard: Heard) => void) | undefined;
}

const ready = Promise.resolve();

/** The bus of a single process. */
export function createInProcessBus(): Bus {
  const tasks = new Table<number>();
  const topics = new Table<string>();
  const close = async (): Promise<void> => {
    tasks.close();
    topics.close();
  };
  return {
    description: "this process",
    isShared: false,
    isConnected: true,
    publish: (taskId, sequence) => tasks.tell(taskId, sequence),
    subscribe: (taskId, wake) => tasks.add(taskId, wake),
    publishTopic: (topic, message) => topics.tell(topic, message),
    subscribeTopic: (topic, hear) => topics.add(topic, hear),
    onLost: () => () => {},
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Who hears what, by name. */
class Table<Heard> {
  readonly #subscriptions = new Map<string, readonly Subscription<Heard>[]>();
  #isClosed = false;

  /** Tells those that are subscribed now. A subscription that begins later waits for the next time. */
  tell(name: string, heard: Heard): void {
    const told = this.#subscriptions.get(name);
    if (told === undefined) return;
    queueMicrotask(() => {
      for (const { hear } of told) hear?.(heard);
    });
  }

  add(name: string, hear: (heard: Heard) => void): BusSubscription {
    if (this.#isClosed) return { ready, stop: () => {} };
    const subscription: Subscription<Heard> = { hear };
    this.#subscriptions.set(name, [...(this.#subscriptions.get(name) ?? []), subscription]);
    const stop = (): void => {
      subscription.hear = undefined;
      const others = this.#subscriptions.get(name)?.filter((other) => other !== subscription) ?? [];
      if (others.length > 0) this.#subscriptions.set(name, others);
      else this.#subscriptions.delete(name);
    };
    return { ready, stop };
  }

  close(): void {
    this.#isClosed = true;
    for (const told of this.#subscriptions.values()) for (const one of told) one.hear = undefined;
    this.#subscriptions.clear();
  }
}
