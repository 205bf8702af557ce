import type { BusTopic } from "../bus.js";

/** What one message to the other processes holds. */
export interface Batch {
  /** The highest sequence of each task, by the task's key. */
  readonly wakeUps: ReadonlyMap<string, number>;
  readonly told: readonly Told[];
  /** Whether wake-ups before this batch were dropped: whoever hears it has to look at everything it follows. */
  readonly hasGap: boolean;
}

export interface Told {
  readonly topic: BusTopic;
  readonly message: string;
}

/** More than this many tasks, or messages, are not kept while nothing can be sent. */
const maxKept = 4096;

/** A topic's message has a batch of its own, since it may be long. */
const maxWakeUps = 220;

/**
 * What waits to be sent. The highest sequence of a task stands for all before it. What exceeds the bound is dropped, oldest
 * first, and the next batch says so.
 */
export class Outbox {
  readonly #wakeUps = new Map<string, number>();
  readonly #told: Told[] = [];
  #hasGap = false;

  get isEmpty(): boolean {
    return this.#wakeUps.size === 0 && this.#told.length === 0 && !this.#hasGap;
  }

  add(key: string, sequence: number): void {
    const known = this.#wakeUps.get(key);
    if (known !== undefined && known >= sequence) return;
    this.#wakeUps.set(key, sequence);
    if (this.#wakeUps.size <= maxKept) return;
    for (const oldest of this.#wakeUps.keys()) {
      this.#wakeUps.delete(oldest);
      break;
    }
    this.#hasGap = true;
  }

  tell(told: Told): void {
    this.#told.push(told);
    if (this.#told.length > maxKept) this.#told.shift();
  }

  /** Takes out what fits into one message. */
  take(): Batch {
    const hasGap = this.#hasGap;
    this.#hasGap = false;
    const told = this.#told.splice(0, 1);
    const wakeUps = new Map<string, number>();
    if (told.length === 0) {
      for (const [key, sequence] of this.#wakeUps) {
        wakeUps.set(key, sequence);
        this.#wakeUps.delete(key);
        if (wakeUps.size === maxWakeUps) break;
      }
    }
    return { wakeUps, told, hasGap };
  }

  /** Takes back what could not be sent. */
  putBack({ wakeUps, told, hasGap }: Batch): void {
    for (const [key, sequence] of wakeUps) this.add(key, sequence);
    this.#told.unshift(...told);
    this.#hasGap ||= hasGap;
  }
}
