import type { TestClock } from "../../../src/testing/index.js";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** Lets everything settle that needs neither time nor a disk. Much faster than a timer of the system. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A test clock for very many short cases: between two timers it waits for promises only. */
export function createQuickClock(): TestClock {
  const timers = new Set<Timer>();
  let now = Date.UTC(2026, 0, 1);
  const first = (end: number): Timer | undefined => {
    let found: Timer | undefined;
    for (const timer of timers) {
      if (timer.at <= end && (found === undefined || timer.at < found.at)) found = timer;
    }
    return found;
  };
  return {
    get pending() {
      return timers.size;
    },
    now: () => now,
    after(delayMs, callback) {
      const timer = { at: now + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(durationMs) {
      const end = now + durationMs;
      await turn();
      for (let timer = first(end); timer !== undefined; timer = first(end)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.callback();
        await turn();
      }
      now = end;
    },
  };
}
