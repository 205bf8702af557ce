import { delayAtMost, LightSignal } from "../../async/internal.js";
import type { ClaimedQueue } from "../../store/internal.js";
import type { Notifier, QueuedByRun } from "../log/notifier.js";
import type { Report } from "../run-environment.js";
import { deliverQueue } from "./deliver-queue.js";
import type { DeliveryParts } from "./deliver-queue.js";
import { HostSlots } from "./host-slots.js";

interface PushDeliveryParts extends Omit<DeliveryParts, "hosts" | "isStopping" | "graceOver"> {
  readonly agent: string;
  readonly report: Report;
  /** How many nodes send notifications of the agent. */
  readonly nodes: () => number;
}

/** How many deliveries of a queue are claimed at a time. */
const ahead = 64;

/** How often within `leaseMs` the store is asked for queues that other nodes have left behind. */
const beats = 4;

/** How soon the store is asked again while a due queue waits for a slot. */
const crowdedMs = 200;

/** How long attempts may go on after the node has begun to stop. */
const stopGraceMs = 1000;

/**
 * Sends an agent's queued push notifications: `maxConcurrentPushes` queues at a time, and for one host at most
 * `maxConcurrentPushesPerHost`. Holds only the queues under way in memory; the rest stays in the store.
 */
export class PushDelivery implements Notifier {
  readonly #parts: PushDeliveryParts;
  readonly #hosts: HostSlots;
  readonly #graceOver = new LightSignal();
  readonly #underWay = new Set<Promise<void>>();
  #looking: Promise<void> | undefined;
  #lookedAt = -Infinity;
  #isWoken = false;
  #isStopping = false;
  #cancelTimer: () => void = () => undefined;

  constructor(parts: PushDeliveryParts) {
    this.#parts = parts;
    this.#hosts = new HostSlots();
  }

  now(): number {
    return this.#parts.clock.now();
  }

  wake(by?: QueuedByRun): void {
    if (by !== undefined) this.#parts.spans?.queued(by);
    if (this.#isStopping) return;
    this.#isWoken = true;
    this.#looking ??= this.#look();
  }

  /** Begins nothing more, gives attempts under way a second, and leaves the rest to other nodes. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#cancelTimer();
    await this.#looking;
    const done = Promise.all(this.#underWay);
    const isDone = new AbortController();
    void done.finally(() => isDone.abort());
    await delayAtMost(this.#parts.clock, stopGraceMs, isDone.signal);
    this.#graceOver.abort();
    await done;
    await this.#parts.sender.close();
  }

  /** Begins all due queues that get a slot, again while there are wake-ups, then sets the timer for the next. */
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
    const { store, agent, node, clock, settings, nodes } = this.#parts;
    const limit = settings.maxConcurrentPushes - this.#underWay.size;
    const now = clock.now();
    this.#lookedAt = now;
    // Each queue that ends wakes this.
    if (limit <= 0) return;
    // Time for one attempt, and as much again for the deliveries after it.
    const until = now + 2 * settings.pushTimeoutMs;
    // The nodes share what a host takes.
    const perHost = Math.max(1, Math.floor(settings.maxConcurrentPushesPerHost / nodes()));
    const taken = this.#hosts.taken(perHost);
    const claim = { agent, node, now, until, limit, ahead, perHost, taken };
    for (const queue of await store.claimQueues(claim)) this.#begin(queue, until);
  }

  /**
   * How long to wait before asking the store again. A queue that was due but got no slot hides when the next one
   * that would get a slot is due, so the store is asked again soon.
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
      graceOver: this.#graceOver,
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
