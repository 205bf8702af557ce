import type { Clock } from "../../../src/async/internal.js";

/** A longer wait is a limit that a healthy test does not reach; `rush` does not fire it. */
const longMs = 60_000;

/** A clock whose time passes only when the test says so, or at once after `rush`. */
export class ManualTimers implements Clock {
  readonly #waiting: { readonly at: number; readonly callback: () => void }[] = [];
  readonly delays: number[] = [];
  #now = Date.parse("2026-01-01T00:00:00Z");
  #isAutomatic = false;

  readonly now = (): number => this.#now;
  /** The longest pause of each backoff, so that tests know them. */
  readonly random = (): number => 1;

  readonly after = (delayMs: number, callback: () => void): (() => void) => {
    const entry = { at: this.#now + delayMs, callback };
    this.#waiting.push(entry);
    this.delays.push(delayMs);
    if (this.#isAutomatic && delayMs < longMs) queueMicrotask(() => this.#expire(entry));
    return () => {
      const index = this.#waiting.indexOf(entry);
      if (index !== -1) this.#waiting.splice(index, 1);
    };
  };

  /** How many timers are pending. */
  get pending(): number {
    return this.#waiting.length;
  }

  /** Fires every timer at once from now on, but for the long ones. */
  rush(): this {
    this.#isAutomatic = true;
    return this;
  }

  /** Advances the time, and fires the timers that are due, in order. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await settle();
      const [next] = this.#waiting.toSorted((a, b) => a.at - b.at);
      if (next === undefined || next.at > until) break;
      this.#expire(next);
    }
    // Clock that `rush` fired meanwhile may have advanced the time further.
    this.#now = Math.max(this.#now, until);
  }

  #expire(entry: { readonly at: number; readonly callback: () => void }): void {
    const index = this.#waiting.indexOf(entry);
    if (index === -1) return;
    this.#waiting.splice(index, 1);
    this.#now = Math.max(this.#now, entry.at);
    entry.callback();
  }
}

/** Lets pending promises settle. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
}
