import type { Clock } from "@parley/a2a/server";

/** A longer wait is a limit that a healthy test does not reach; it is not shortened. */
const longMs = 60_000;

/** Real timers that wait a hundredth of the time they are asked to. */
export const hurriedTimers: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs < longMs ? delayMs / 100 : delayMs);
    return () => clearTimeout(timer);
  },
};

/** Runs an action for every item, with a number of them at once. */
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
