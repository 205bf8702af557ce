import type { Timers } from "../../../src/client/timers.js";

/** Whoever waits longer waits for what should not happen. */
const longMs = 60_000;

/** Timers for tests: time passes only when it is told to, or as soon as everybody waits. */
export class ManualTimers implements Timers {
  readonly #waiting: { readonly at: number; readonly callback: () => void }[] = [];
  readonly delays: number[] = [];
  #now = Date.parse("2026-01-01T00:00:00Z");
  #isAutomatic = false;

  readonly now = (): number => this.#now;
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

  /** From now on nobody waits: every timer goes off at once, but for those that are not expected to. */
  rush(): this {
    this.#isAutomatic = true;
    return this;
  }

  /** Lets time pass, and everything that waits for it happen, in order. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await settle();
      const [next] = this.#waiting.toSorted((a, b) => a.at - b.at);
      if (next === undefined || next.at > until) break;
      this.#expire(next);
    }
    // Those that nobody waits for may have gone off meanwhile, and been later.
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

/** Lets all that is ready happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
}
