import { delayAtMost, LightSignal } from "../../async/internal.js";
import type { ClaimedTask } from "../../store/internal.js";
import type { NodeLease } from "./node-lease.js";
import { recover } from "./recover-tasks.js";
import type { Recovery } from "./recover-tasks.js";

/** How many tasks a node claims at a time, so that the remaining nodes share the tasks of a dead one. */
const biteSize = 32;

/** How much of `leaseMs` a claim may wait for the store; see `NodeLease.mayClaim`. */
const claimShare = 1 / 8;

/** How much of `leaseMs` a node leaves to the others after each bite. */
const biteShare = 1 / 256;

/** How much of `leaseMs` a node waits after its first bite, or after a run has ended, before it looks for more. */
const refillShare = 1 / 64;

interface TakeOverParts extends Recovery {
  readonly lease: NodeLease;
  /** Looks again soon. */
  readonly hurry: () => void;
}

/**
 * Takes over the active tasks of nodes that have died or have handed them over: a durable agent's task goes on, another
 * agent's fails. Where there are other nodes, this one claims no more than it can begin, a bite at a time. The rest stays
 * where it is for nodes that have room, and for this one when its runs have ended.
 */
export class TakeOver {
  readonly #parts: TakeOverParts;
  readonly #stop = new LightSignal();
  /** Another node has told that there are abandoned tasks. */
  #isTold = false;
  /** There may be more to claim than there was room for, until a look with room for everybody finds nothing. */
  #isBacklog = false;
  #cancelRefill: (() => void) | undefined;

  constructor(parts: TakeOverParts) {
    this.#parts = parts;
    parts.runner.onFreed(() => this.#refill());
  }

  /** Another node has seen abandoned tasks, and has told all of them. */
  told(): void {
    this.#isTold = true;
    this.#parts.hurry();
  }

  stop(): void {
    this.#stop.abort();
    this.#cancelRefill?.();
  }

  /** Claims what is there when a node starts alone. Among others it claims a bite; the rest follows soon, while it serves. */
  async begin(): Promise<void> {
    while (await this.#bite()) {
      if (this.#parts.lease.nodes > 1) return this.#refill();
    }
  }

  /** Claims what this node can begin, until nothing is left for it. */
  async look(): Promise<void> {
    const { environment, lease } = this.#parts;
    const { clock, settings } = environment;
    while (await this.#bite()) {
      if (lease.nodes === 1) continue;
      await delayAtMost(clock, settings.leaseMs * biteShare, this.#stop.toAbortSignal());
    }
  }

  /** Claims a bite of what this node can begin. Returns whether there may be more. */
  async #bite(): Promise<boolean> {
    const { environment, agent, lease } = this.#parts;
    if (this.#stop.aborted || !lease.mayClaim) return false;
    const isNew = !this.#isTold && !this.#isBacklog;
    this.#isTold = false;
    const { limit, ...terms } = this.#room();
    const claimed = limit === 0 ? [] : await this.#claim(limit, terms);
    const isMore = claimed.length > 0 && claimed.length === limit;
    const isCrowded = limit === 0 || terms.exceptSubjects.length > 0;
    const isSeen = this.#isBacklog || claimed.length > 0;
    this.#isBacklog = isMore || (isCrowded && isSeen);
    await recover(this.#parts, claimed);
    if (isMore && isNew && lease.nodes > 1) environment.bus.publishTopic("abandoned", agent.name);
    return isMore;
  }

  #claim(
    limit: number,
    terms: { readonly exceptSubjects: readonly string[] },
  ): Promise<readonly ClaimedTask[]> {
    const { environment, agent, lease } = this.#parts;
    const { store, node, settings } = environment;
    return store.claimAbandoned(agent.name, node, limit, {
      ...terms,
      withinMs: settings.leaseMs * claimShare,
      onlyReleased: lease.isForgiving,
    });
  }

  /** How many tasks to claim, and of whom none. */
  #room(): { readonly limit: number; readonly exceptSubjects: readonly string[] } {
    const { agent, runner, lease } = this.#parts;
    // A task that fails needs no slot. A node that is alone leaves tasks to nobody.
    if (!agent.durable) return { limit: biteSize, exceptSubjects: [] };
    if (lease.nodes === 1) return { limit: runner.isFull ? 0 : biteSize, exceptSubjects: [] };
    const { slots, exceptSubjects } = runner.room;
    return { limit: Math.min(biteSize, slots), exceptSubjects };
  }

  /** A run has ended, and another task may have its slot; or there is more than the first bite. */
  #refill(): void {
    if (!this.#isBacklog || this.#cancelRefill !== undefined || this.#stop.aborted) return;
    const { environment, hurry } = this.#parts;
    const { clock, settings } = environment;
    this.#cancelRefill = clock.after(settings.leaseMs * refillShare, () => {
      this.#cancelRefill = undefined;
      hurry();
    });
  }
}
