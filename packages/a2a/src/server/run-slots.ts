import { A2AError } from "../protocol/index.js";
import { createDeferred } from "./deferred.js";
import type { Deferred } from "./deferred.js";

export interface RunLimits {
  /** Runs at work at the same time. */
  readonly maxConcurrentRuns: number;
  /** Runs that wait for their turn; beyond, calls are refused. */
  readonly maxQueuedRuns: number;
}

/** Lets so many runs work at once and so many wait. */
export class RunSlots {
  readonly #limits: RunLimits;
  readonly #queue: Deferred<void>[] = [];
  #busy = 0;

  constructor(limits: RunLimits) {
    this.#limits = limits;
  }

  /** True when a further run would be refused. */
  get isFull(): boolean {
    return (
      this.#busy >= this.#limits.maxConcurrentRuns &&
      this.#queue.length >= this.#limits.maxQueuedRuns
    );
  }

  /** Refuses, before anything is stored, what there is no room for. */
  check(): void {
    if (!this.isFull) return;
    const { maxConcurrentRuns, maxQueuedRuns } = this.#limits;
    const message = `${maxConcurrentRuns} runs are at work and ${maxQueuedRuns} wait; try again later`;
    throw new A2AError("RESOURCE_EXHAUSTED", message, { details: { retryAfterSeconds: 1 } });
  }

  /** Waits for a place. Whoever has one gives it back by `release`. */
  async acquire(): Promise<void> {
    if (this.#busy < this.#limits.maxConcurrentRuns) {
      this.#busy += 1;
      return;
    }
    const turn = createDeferred<void>();
    this.#queue.push(turn);
    await turn.promise;
  }

  release(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#busy -= 1;
    else next.resolve();
  }
}
