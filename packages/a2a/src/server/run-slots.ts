import { A2AError } from "../protocol/index.js";
import { createDeferred } from "./deferred.js";

export interface RunLimits {
  /** Runs at work at the same time. */
  readonly maxConcurrentRuns: number;
  /** Runs that wait for their turn; beyond, calls are refused. */
  readonly maxQueuedRuns: number;
}

/** A run's place among those at work, or in the queue for one. */
export interface RunSlot {
  /** Resolves when the run may begin; absent when it may at once. */
  readonly turn?: Promise<void>;
  release(): void;
}

/** Lets so many runs work at once and so many wait. */
export class RunSlots {
  readonly #limits: RunLimits;
  readonly #queue = new Set<() => void>();
  #busy = 0;

  constructor(limits: RunLimits) {
    this.#limits = limits;
  }

  /** True when a further run would be refused. */
  get isFull(): boolean {
    return (
      this.#busy >= this.#limits.maxConcurrentRuns && this.#queue.size >= this.#limits.maxQueuedRuns
    );
  }

  /** Takes a place, or refuses what there is no room for. */
  reserve(): RunSlot {
    if (!this.isFull) return this.enqueue();
    const { maxConcurrentRuns, maxQueuedRuns } = this.#limits;
    const message = `${maxConcurrentRuns} runs are at work and ${maxQueuedRuns} wait; try again later`;
    throw new A2AError("RESOURCE_EXHAUSTED", message, { details: { retryAfterSeconds: 1 } });
  }

  /** Takes a place for a run that has been accepted before. */
  enqueue(): RunSlot {
    let isReleased = false;
    if (this.#busy < this.#limits.maxConcurrentRuns) {
      this.#busy += 1;
      return {
        release: () => {
          if (!isReleased) this.#passOn();
          isReleased = true;
        },
      };
    }
    const turn = createDeferred<void>();
    const begin = (): void => turn.resolve();
    this.#queue.add(begin);
    return {
      turn: turn.promise,
      release: () => {
        if (!isReleased && !this.#queue.delete(begin)) this.#passOn();
        isReleased = true;
      },
    };
  }

  #passOn(): void {
    const [next] = this.#queue;
    if (next === undefined) {
      this.#busy -= 1;
      return;
    }
    this.#queue.delete(next);
    next();
  }
}
