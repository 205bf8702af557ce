import type { Timers } from "../../src/client/timers.js";

/** Whoever waits longer waits for what should not happen. */
const longMs = 60_000;

/** Real timers that wait a hundredth of what they are asked to before another attempt is made. */
export const hurriedTimers: Timers = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs < longMs ? delayMs / 100 : delayMs);
    return () => clearTimeout(timer);
  },
};

/** Does something for every item, so many at a time. */
export async function forAll<T>(
  items: readonly T[],
  atOnce: number,
  action: (item: T) => Promise<void>,
): Promise<void> {
  const rest = [...items];
  const work = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await action(item);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
