import type { ClaimedQueue } from "../../store/internal.js";
import { delayAtMost } from "../../async/internal.js";
import type { Report } from "../run-environment.js";
import { deliverQueue } from "./deliver-queue.js";
import type { DeliveryParts } from "./deliver-queue.js";
import { Ending } from "./ending.js";
import { HostSlots } from "./host-slots.js";
import type { Notifier } from "./notifier.js";

interface PushDeliveryParts extends Omit<DeliveryParts, "hosts" | "isStopping" | "ending"> {
  readonly agent: string;
  readonly report: Report;
}

/** The most deliveries of a queue that are claimed at once. */
const ahead = 64;

/** How often in the span of a lease is looked for what other nodes have queued and left behind. */
const beats = 4;

/** How soon is looked again while something that is due waits for a place. */
const crowdedMs = 200;

/** How long attempts may go on when the node stops. */
const stopGraceMs = 1000;

/**
 * Carries an agent's queued notifications to their receivers: as many queues at a time as there are
 * places, and of one host no more than its own. Holds what is under way and nothing else.
 */
export class PushDelivery implements Notifier {
  readonly #parts: PushDeliveryParts;
  readonly #hosts: HostSlots;
  readonly #ending = new Ending();
  readonly #underWay = new Set<Promise<void>>();
  #looking: Promise<void> | undefined;
  #lookedAt = -Infinity;
  #isWoken = false;
  #isStopping = false;
  #cancelTimer: () => void = () => undefined;

  constructor(parts: PushDeliveryParts) {
    this.#parts = parts;
    this.#hosts = new HostSlots(parts.settings.maxConcurrentPushesPerHost);
  }

  now(): number {
    return this.#parts.clock.now();
  }

  wake(): void {
    if (this.#isStopping) return;
    this.#isWoken = true;
    this.#looking ??= this.#look();
  }

  /** Begins nothing more, gives what is under way a moment, and leaves the rest to other nodes. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#cancelTimer();
    await this.#looking;
    const done = Promise.all(this.#underWay);
    const isDone = new AbortController();
    void done.finally(() => isDone.abort());
    await delayAtMost(this.#parts.clock, stopGraceMs, isDone.signal);
    this.#ending.end();
    await done;
    await this.#parts.sender.close();
  }

  /** Begins all that is due and has a place, as long as somebody says that there may be more. */
  async #look(): Promise<void> {
    this.#cancelTimer();
    let pauseMs = this.#longestPause;
    try {
      while (this.#isWoken && !this.#isStopping) {
        this.#isWoken = false;
        await this.#beginDue();
      }
      pauseMs = await this.#nextPause();
    } catch (error) {
      this.#parts.report(error, "push");
    }
    this.#looking = undefined;
    if (this.#isStopping) return;
    if (this.#isWoken) this.wake();
    else this.#cancelTimer = this.#parts.clock.after(pauseMs, () => this.wake());
  }

  async #beginDue(): Promise<void> {
    const { store, agent, node, clock, settings } = this.#parts;
    const limit = settings.maxConcurrentPushes - this.#underWay.size;
    const now = clock.now();
    this.#lookedAt = now;
    // Each that ends wakes.
    if (limit <= 0) return;
    // As long as an attempt may take, and as long again for those that follow it.
    const until = now + 2 * settings.pushTimeoutMs;
    const perHost = settings.maxConcurrentPushesPerHost;
    const taken = this.#hosts.taken();
    const claim = { agent, node, now, until, limit, ahead, perHost, taken };
    for (const queue of await store.claimQueues(claim)) this.#begin(queue, until);
  }

  /**
   * What was due and not begun waits for a place, and hides when the next is due that would have one. What
   * has become due since is begun at once.
   */
  async #nextPause(): Promise<number> {
    const { store, agent, clock } = this.#parts;
    const next = (await store.nextDeliveryAt(agent)) ?? Infinity;
    const pauseMs = next > this.#lookedAt ? next - clock.now() : crowdedMs;
    return Math.min(Math.max(pauseMs, 0), this.#longestPause);
  }

  get #longestPause(): number {
    return this.#parts.settings.leaseMs / beats;
  }

  #begin(queue: ClaimedQueue, until: number): void {
    const { report } = this.#parts;
    const parts = {
      ...this.#parts,
      hosts: this.#hosts,
      isStopping: () => this.#isStopping,
      ending: this.#ending,
    };
    this.#hosts.take(queue.host);
    const done = deliverQueue(parts, queue, until)
      .catch((error: unknown) => report(error, queue.taskId))
      .finally(() => {
        this.#underWay.delete(done);
        this.#hosts.release(queue.host);
        this.wake();
      });
    this.#underWay.add(done);
  }
}
