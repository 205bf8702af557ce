import type { Clock } from "../server/internal.js";

/** A clock that stands still until it is told to go on. */
export interface TestClock extends Clock {
  /** How many callbacks wait for their time. */
  readonly pending: number;
  /**
   * Lets time pass. What falls due meanwhile happens at its time and in its order, and everything has
   * taken effect before the next thing happens, as far as it needs no time itself.
   */
  advance(durationMs: number): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** Creates a clock that stands still until the test moves it. */
export function createTestClock(startAt: number = Date.UTC(2026, 0, 1)): TestClock {
  const timers = new Set<Timer>();
  let now = startAt;
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
      await settle();
      for (;;) {
        const due = Array.from(timers).filter(({ at }) => at <= end);
        const first = due.reduce<Timer | undefined>(
          (earliest, timer) =>
            earliest !== undefined && earliest.at <= timer.at ? earliest : timer,
          undefined,
        );
        if (first === undefined) break;
        timers.delete(first);
        now = Math.max(now, first.at);
        first.callback();
        await settle();
      }
      now = end;
    },
  };
}

/** Promises settle before the next timer of the system fires. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
