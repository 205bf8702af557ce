import type { Bus, BusSubscription, BusTopic } from "../../../bus/internal.js";
import type { FaultName } from "../engine/faults.js";
import type { World } from "../world/world.js";
import type { Life } from "./life.js";

interface Subscription {
  readonly life: Life;
  hear: ((payload: never) => void) | undefined;
  isReady: boolean;
}

/** The bus that all nodes share. A wake-up to a node may be lost, come late or twice. */
export class BusHub {
  readonly #world: World;
  readonly #isSilent: boolean;
  readonly #subscriptions = new Map<string, Set<Subscription>>();
  readonly #lost = new Map<Life, Set<() => void>>();

  constructor(world: World, isSilent: boolean) {
    this.#world = world;
    this.#isSilent = isSilent;
  }

  /** How many subscriptions a node has. */
  countOf(life: Life): number {
    let count = this.#lost.get(life)?.size ?? 0;
    for (const all of this.#subscriptions.values()) {
      for (const one of all) if (one.life === life) count += 1;
    }
    return count;
  }

  /** The bus as one node sees it. */
  open(life: Life): Bus {
    const { scheduler } = this.#world;
    const lost = new Set<() => void>();
    this.#lost.set(life, lost);
    life.onGone.add(() => this.#forget(life));
    const close = async (): Promise<void> => this.#forget(life);
    return {
      description: "simulated",
      isShared: true,
      get isConnected() {
        return !(life.knowsDeafness && scheduler.now < life.deafUntil);
      },
      publish: (taskId, sequence) => this.#publish(life, `task ${taskId}`, sequence),
      publishTopic: (topic, message) => this.#publish(life, `topic ${topic}`, message),
      subscribe: (taskId, wake) => this.#subscribe(life, `task ${taskId}`, wake),
      subscribeTopic: (topic, hear) => this.#subscribe(life, `topic ${topic}`, hear),
      onLost: (callback) => {
        lost.add(callback);
        return () => lost.delete(callback);
      },
      close,
      [Symbol.asyncDispose]: close,
    };
  }

  /** How many subscriptions to tasks a node has. */
  tasksOf(life: Life): number {
    let count = 0;
    for (const [channel, all] of this.#subscriptions) {
      if (!channel.startsWith("task ")) continue;
      for (const one of all) if (one.life === life) count += 1;
    }
    return count;
  }

  /** Tells all nodes something, as an operator does. */
  announce(topic: BusTopic, message: string): void {
    const channel = `topic ${topic}`;
    for (const subscription of this.#subscriptions.get(channel) ?? []) {
      this.#send(subscription, channel, message);
    }
  }

  /** Tells a node that it may have missed something. */
  tellLost(life: Life): void {
    this.#world.scheduler.after(0, life, () => {
      for (const callback of this.#lost.get(life) ?? []) callback();
    });
  }

  #publish(life: Life, channel: string, payload: string | number): void {
    const world = this.#world;
    if (!life.passes("publish")) return;
    world.log(`${life.name} publishes ${channel} ${payload}`);
    world.messages += 1;
    if (this.#isSilent || this.#isDeaf(life)) return;
    for (const subscription of this.#subscriptions.get(channel) ?? []) {
      this.#send(subscription, channel, payload);
    }
  }

  #send(subscription: Subscription, channel: string, payload: string | number): void {
    const { choices } = this.#world;
    const { life, isReady } = subscription;
    const key = `${life.slot}/wake`;
    const hits = (fault: FaultName): boolean => {
      const isHit = this.#world.faults.hits(fault, key);
      if (isHit) this.#world.taskFaulted(fault, channel.replace("task ", ""));
      return isHit;
    };
    if (!isReady || life.isGone || hits("wake-lost")) return;
    const isLate = hits("wake-late");
    const lateUs = isLate ? 1000 * choices.choose(`${key}/late`, 4000) : 0;
    this.#deliver(subscription, payload, this.#world.latency(key) + lateUs);
    if (hits("wake-repeated")) {
      this.#deliver(subscription, payload, 1000 * choices.choose(`${key}/again`, 4000));
    }
  }

  #deliver(subscription: Subscription, payload: string | number, afterUs: number): void {
    const { life } = subscription;
    this.#world.scheduler.after(afterUs, life, () => {
      if (!this.#isDeaf(life)) subscription.hear?.(payload as never);
    });
  }

  #subscribe(
    life: Life,
    channel: string,
    hear: ((sequence: number) => void) | ((message: string) => void),
  ): BusSubscription {
    const { scheduler } = this.#world;
    const subscription: Subscription = { life, hear, isReady: false };
    const all = this.#subscriptions.get(channel) ?? new Set();
    const stop = (): void => {
      subscription.hear = undefined;
      all.delete(subscription);
      if (all.size === 0 && this.#subscriptions.get(channel) === all) {
        this.#subscriptions.delete(channel);
      }
    };
    if (!life.passes("subscribe")) return { ready: new Promise(() => undefined), stop };
    this.#subscriptions.set(channel, all.add(subscription));
    const ready = new Promise<void>((resolve) => {
      scheduler.after(this.#world.latency(`${life.slot}/subscribe`), life, () => {
        subscription.isReady = true;
        resolve();
      });
    });
    return { ready, stop };
  }

  #isDeaf(life: Life): boolean {
    return this.#world.scheduler.now < life.deafUntil;
  }

  #forget(life: Life): void {
    this.#lost.delete(life);
    for (const [channel, all] of this.#subscriptions) {
      for (const one of all) {
        if (one.life !== life) continue;
        one.hear = undefined;
        all.delete(one);
      }
      if (all.size === 0) this.#subscriptions.delete(channel);
    }
  }
}
