import type { Clock } from "../async/internal.js";

/** A clock that stands still until a test advances it. */
export interface TestClock extends Clock {
  /** How many timers are pending. */
  readonly pending: number;
  /**
   * Advances the time. Timers fire at their times and in order; before the next one fires, everything that the
   * last one started has settled, as far as it needs no further time.
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

/** Waits for a timer of the system: pending promises settle before it fires. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
