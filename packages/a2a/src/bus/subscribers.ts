/** Drops its function when it ends, because hash tables may keep the subscription in memory for longer. */
interface Subscription<Heard> {
  hear: ((heard: Heard) => void) | undefined;
}

/** Who hears what in this process, by name. */
export class Subscribers<Heard> {
  readonly #subscriptions = new Map<string, readonly Subscription<Heard>[]>();

  has(name: string): boolean {
    return this.#subscriptions.has(name);
  }

  /** Tells those that are subscribed now, asynchronously. A subscription that begins later waits for the next time. */
  tell(name: string, heard: Heard): void {
    const told = this.#subscriptions.get(name);
    if (told === undefined) return;
    queueMicrotask(() => {
      for (const { hear } of told) hear?.(heard);
    });
  }

  /** Returns a function that ends the subscription. Ending it again does nothing. */
  add(name: string, hear: (heard: Heard) => void): () => void {
    const subscription: Subscription<Heard> = { hear };
    this.#subscriptions.set(name, [...(this.#subscriptions.get(name) ?? []), subscription]);
    return () => {
      subscription.hear = undefined;
      const others = this.#subscriptions.get(name)?.filter((other) => other !== subscription) ?? [];
      if (others.length > 0) this.#subscriptions.set(name, others);
      else this.#subscriptions.delete(name);
    };
  }

  clear(): void {
    for (const told of this.#subscriptions.values()) for (const one of told) one.hear = undefined;
    this.#subscriptions.clear();
  }
}
