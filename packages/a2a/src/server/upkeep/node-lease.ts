import type { Renewal } from "../../store/internal.js";
import type { Agent } from "../author/agent.js";
import { isReached } from "../log/is-reached.js";
import type { RunEnvironment } from "../run-environment.js";
import { version } from "../version.js";

/**
 * How often within `leaseMs` a node renews its lease and looks for abandoned tasks. A lease lasts for three
 * quarters of `leaseMs`, so that the tasks of a dead node are taken over within all of it.
 */
export const beats = 4;

/** A clock that differs from the store's by more than this is worth a warning. */
const maxOffsetMs = 1000;

interface LeaseParts {
  readonly environment: Pick<
    RunEnvironment,
    "store" | "bus" | "clock" | "settings" | "node" | "report" | "log"
  >;
  readonly agent: Agent;
  readonly address: string | undefined;
}

/** Hears what happens to a node's lease. */
export interface LeaseObserver {
  /** The lease is over, as far as this node knows: other nodes may take over its tasks. */
  readonly lapsed: () => void;
  /** There is a lease again, after one that was over. */
  readonly regained: () => void;
  /** Another node is gone, perhaps between a write and the wake-up that tells of it. */
  readonly bereft: () => void;
  /** An operator wants the node to hand over its tasks. */
  readonly drains: () => void;
}

/**
 * This node's lease, as far as the node can be certain of it: it counts from the moment before the store was asked, by
 * timers, since a clock may be set.
 */
export class NodeLease {
  readonly #parts: LeaseParts;
  #observer: LeaseObserver | undefined;
  #renewal: Renewal | undefined;
  /** Cancels the timer of the lease's end. */
  #cancelEnd: (() => void) | undefined;
  #cancelLateness: (() => void) | undefined;
  /** Cancels the timer that ends the time in which this node claims only what was released. */
  #cancelAmnesty: (() => void) | undefined;
  #cancelFreshness: (() => void) | undefined;
  #isOver = true;
  #hasLapsed = false;
  #isFresh = false;
  #isLate = false;
  #hasWarned = false;
  /** When the lease ends, by this node's clock. For people: a clock may be set. */
  #endsAt = 0;
  #offsetMs = 0;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  /** How many nodes of the agent have a lease, this one included, as of the last renewal. */
  get nodes(): number {
    return this.#renewal?.nodes ?? 1;
  }

  /** Whether wake-ups of all nodes of the agent reach somebody, as of the last renewal. */
  get areAllHeard(): boolean {
    return (this.#renewal?.unheard ?? 0) === 0;
  }

  get isDraining(): boolean {
    return this.#renewal?.isDraining ?? false;
  }

  /** True while other nodes may take over what this node works on. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** How long the lease lasts from now on, by this node's clock. */
  get remainingMs(): number {
    return this.#isOver ? 0 : Math.max(0, this.#endsAt - this.#parts.environment.clock.now());
  }

  /** How long a lease lasts from its renewal. */
  get spanMs(): number {
    return this.#forMs;
  }

  /** Whether the last renewal is older than half a lease. */
  get isLate(): boolean {
    return this.remainingMs < this.#forMs / 2;
  }

  /** How far this node's clock is ahead of the store's, as of the last renewal; 0 within what the question took. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Whether this node's clock is worth a warning. */
  get isSkewed(): boolean {
    return Math.abs(this.#offsetMs) > maxOffsetMs;
  }

  /**
   * Whether this node may take over tasks. Not when its last renewal is older than a beat and a quarter: the
   * store may have failed since, and leases of others that end two beats later were not given up. A claim is carried out
   * within half a beat, or not at all.
   */
  get mayClaim(): boolean {
    return !this.#isOver && this.#isFresh && !this.isDraining;
  }

  /** True while this node leaves tasks alone whose nodes have let their leases run out: the store may have failed. */
  get isForgiving(): boolean {
    return this.#cancelAmnesty !== undefined;
  }

  observe(observer: LeaseObserver): void {
    this.#observer = observer;
  }

  /** Begins or renews the lease. A lease that was over before the store answered is renewed once more. */
  async renew(): Promise<void> {
    const isFirst = this.#renewal === undefined;
    if (!(await this.#renewOnce())) await this.#renewOnce();
    if (isFirst) await this.#lookBack();
  }

  /** Cancels all timers. The store keeps the lease until it is released. */
  stop(): void {
    this.#cancelEnd?.();
    this.#cancelFreshness?.();
    this.#cancelLateness?.();
    this.#cancelAmnesty?.();
  }

  /** False when the store took longer to answer than the lease lasts. */
  async #renewOnce(): Promise<boolean> {
    const { environment, agent, address } = this.#parts;
    const { store, clock, node } = environment;
    const forMs = this.#forMs;
    const asked = clock.now();
    let isPast = false;
    const cancelEnd = clock.after(forMs, () => {
      isPast = true;
      if (this.#cancelEnd === cancelEnd) this.#lapse();
    });
    let renewal: Renewal;
    try {
      const info = { agent: agent.name, revision: agent.version, version };
      renewal = await store.renewNode(node, forMs, {
        ...info,
        ...(address !== undefined && { address }),
        ...(!isReached(environment) && { isUnheard: true }),
      });
    } catch (error) {
      cancelEnd();
      throw error;
    }
    this.#compareClocks(renewal.now, asked, clock.now());
    this.#endsAt = asked + forMs;
    this.#cancelEnd?.();
    this.#cancelEnd = cancelEnd;
    this.#restartTimers();
    this.#learn(renewal);
    if (isPast) this.#lapse();
    else this.#hold();
    return !isPast;
  }

  get #forMs(): number {
    return Math.floor((this.#parts.environment.settings.leaseMs * (beats - 1)) / beats);
  }

  #learn(renewal: Renewal): void {
    const { isDraining, nodes } = this;
    const { log } = this.#parts.environment;
    this.#renewal = renewal;
    if (renewal.nodes < nodes) {
      log("warn", "node.gone", { left: renewal.nodes, before: nodes });
      this.#observer?.bereft();
    }
    if (renewal.isDraining && !isDraining) {
      log("info", "drain.requested");
      this.#observer?.drains();
    }
  }

  #hold(): void {
    if (!this.#isOver) return;
    this.#isOver = false;
    if (this.#hasLapsed) this.#parts.environment.log("info", "lease.regained");
    this.#observer?.regained();
  }

  #lapse(): void {
    if (this.#isOver) return;
    this.#isOver = this.#hasLapsed = true;
    this.#parts.environment.log("error", "lease.lost", { spanMs: this.spanMs });
    this.#observer?.lapsed();
  }

  /**
   * A node that starts cannot know whether nodes whose leases have ended are dead, or were cut off from a store that has
   * failed until now. It knows of its predecessor, which was at the same address.
   */
  async #lookBack(): Promise<void> {
    const { environment, agent, address } = this.#parts;
    const nodes = await environment.store.listNodes();
    const isDoubtful = nodes.some(
      (one) => one.agent === agent.name && one.leaseLeftMs === 0 && one.address !== address,
    );
    if (isDoubtful) this.#forgive();
  }

  /** For the time of one lease this node claims only what was released, so that the others can renew their leases. */
  #forgive(): void {
    const { clock, settings } = this.#parts.environment;
    this.#cancelAmnesty?.();
    this.#cancelAmnesty = clock.after(settings.leaseMs, () => (this.#cancelAmnesty = undefined));
  }

  /** A renewal two beats after the last may follow a failure of the store, in which leases of others have ended. */
  #restartTimers(): void {
    const { clock, settings } = this.#parts.environment;
    const { leaseMs } = settings;
    this.#cancelLateness?.();
    if (this.#isLate) this.#forgive();
    this.#isLate = false;
    this.#cancelLateness = clock.after((2 * leaseMs) / beats, () => (this.#isLate = true));
    this.#cancelFreshness?.();
    this.#isFresh = true;
    this.#cancelFreshness = clock.after((1.25 * leaseMs) / beats, () => (this.#isFresh = false));
  }

  /** The store read its clock at some moment between the two. */
  #compareClocks(now: number, asked: number, answered: number): void {
    const aheadMs = Math.max(asked - now, 0) - Math.max(now - answered, 0);
    this.#offsetMs = aheadMs;
    if (this.#hasWarned || Math.abs(aheadMs) <= maxOffsetMs) return;
    this.#hasWarned = true;
    const which = aheadMs > 0 ? "ahead of" : "behind";
    const message = `this node's clock is ${Math.abs(aheadMs)} ms ${which} the store's; set it by NTP`;
    this.#parts.environment.report(new Error(message), "clock");
  }
}
