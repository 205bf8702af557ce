import { Heap, nextTurn } from "../async/internal.js";
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
  /** Timers of one moment fire in the order in which they were set. */
  readonly order: number;
  /** Absent once the timer was canceled. */
  callback: (() => void) | undefined;
}

/**
 * Creates a clock that stands still until the test moves it.
 *
 * @param settle How the clock waits, after each timer, for what the timer started. Default: for the next turn of the
 *   event loop, so that pending promises settle and what has arrived is read.
 */
export function createTestClock(
  startAt: number = Date.UTC(2026, 0, 1),
  settle: () => Promise<void> = nextTurn,
): TestClock {
  const timers = new Heap<Timer>((one, other) =>
    one.at === other.at ? one.order < other.order : one.at < other.at,
  );
  let now = startAt;
  let pending = 0;
  let order = 0;
  /** Takes the first timer up to a moment, past those that were canceled. */
  const takeFirst = (end: number): Timer | undefined => {
    for (let first = timers.peek(); first !== undefined; first = timers.peek()) {
      if (first.callback !== undefined && first.at > end) return undefined;
      timers.pop();
      if (first.callback !== undefined) return first;
    }
    return undefined;
  };
  return {
    get pending() {
      return pending;
    },
    now: () => now,
    after(delayMs, callback) {
      order += 1;
      const timer: Timer = { at: now + delayMs, order, callback };
      timers.push(timer);
      pending += 1;
      return () => {
        if (timer.callback !== undefined) pending -= 1;
        timer.callback = undefined;
      };
    },
    async advance(durationMs) {
      const end = now + durationMs;
      await settle();
      for (;;) {
        const first = takeFirst(end);
        if (first === undefined) break;
        const { callback } = first;
        first.callback = undefined;
        pending -= 1;
        now = Math.max(now, first.at);
        callback?.();
        await settle();
      }
      now = end;
    },
  };
}
