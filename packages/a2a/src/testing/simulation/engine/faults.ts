import type { Choices } from "./choices.js";

/** What may go wrong in a simulation. */
export const faultNames = [
  /** A node is gone from one call of a port to the next. */
  "crash",
  /** A node stands still, for longer than its lease at times. */
  "pause",
  /** One node does not reach the store. */
  "cut",
  /** No node reaches the store. */
  "outage",
  /** The store fails over to a standby that has not got the last commits. */
  "failover",
  /** The store takes long. */
  "slow",
  /** The store fails a request without doing anything. */
  "refused",
  /** The store does what was asked, and the answer is lost. */
  "lost",
  /** The store does what was asked after the node was told that it failed. */
  "late",
  /** A wake-up does not arrive. */
  "wake-lost",
  /** A wake-up arrives late. */
  "wake-late",
  /** A wake-up arrives twice. */
  "wake-repeated",
  /** A node hears nothing for a while and does not know it. */
  "bus-silent",
  /** A node hears nothing for a while, and is told afterwards. */
  "bus-lost",
  /** Clocks of nodes are wrong, and run too fast or too slow. */
  "skew",
  /** A node is stopped and started again with a changed handler. */
  "restart",
  /** An operator asks a node to hand over its tasks, and takes that back later. */
  "drain",
  /** The answer of a node to its caller is lost. */
  "answer-lost",
  /** A caller leaves its stream, and comes back by the id of an event, or without. */
  "leave",
  /** A receiver of push notifications fails, hangs, or takes them without saying so. */
  "push-fails",
  /** Everything that crosses to the store and back is copied as JSON. */
  "copy",
] as const;

/** One of the faults of a simulation. */
export type FaultName = (typeof faultNames)[number];

/** How often a fault happens where it may: one time in so many. */
const rates: Partial<Record<FaultName, readonly [number, ...number[]]>> = {
  crash: [800, 300, 100],
  refused: [60, 15],
  lost: [60, 12],
  late: [80, 20],
  "wake-lost": [10, 3],
  "wake-late": [10, 3],
  "wake-repeated": [10, 3],
  "answer-lost": [20, 6],
  leave: [8, 4],
  "push-fails": [4, 2],
};

/** Half of the faults are off in each run, so that those that are on do not hide behind each other. */
export class Faults {
  readonly #choices: Choices;
  readonly #rates = new Map<FaultName, number>();
  /** No more faults: everything has to come to rest. */
  isCalm = false;
  /** How often each was done. */
  readonly done: Map<FaultName, number> = new Map();

  constructor(choices: Choices, allowed: readonly FaultName[]) {
    this.#choices = choices;
    for (const name of allowed) {
      const isOn = choices.chance(`faults/${name}`, name === "copy" ? 8 : 2);
      const rate = choices.pick(`faults/${name}/rate`, rates[name] ?? [1]);
      if (isOn) this.#rates.set(name, rate);
    }
  }

  /** Whether a fault belongs to this run at all. */
  has(name: FaultName): boolean {
    return this.#rates.has(name);
  }

  /** Whether a fault happens now. */
  hits(name: FaultName, key: string): boolean {
    const rate = this.isCalm ? undefined : this.#rates.get(name);
    if (rate === undefined || !this.#choices.chance(`${key}/${name}`, rate)) return false;
    this.count(name);
    return true;
  }

  count(name: FaultName): void {
    this.done.set(name, (this.done.get(name) ?? 0) + 1);
  }
}
