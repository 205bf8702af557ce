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

/**
 * Creates a clock that stands still until the test moves it.
 *
 * @param settle How the clock waits, after each timer, for what the timer started. Default: for a timer of the
 *   system, so that pending promises and reads from a disk settle.
 */
export function createTestClock(
  startAt: number = Date.UTC(2026, 0, 1),
  settle: () => Promise<void> = afterTimers,
): TestClock {
  const timers = new Set<Timer>();
  let now = startAt;
  const firstUntil = (end: number): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (timer.at <= end && (first === undefined || timer.at < first.at)) first = timer;
    }
    return first;
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
      await settle();
      for (;;) {
        const first = firstUntil(end);
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
function afterTimers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
