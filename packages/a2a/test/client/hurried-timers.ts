import type { Timers } from "@parley/a2a/client";

/** Real timers that wait a hundredth of what they are asked to, for waits of a second and more in tests. */
export const hurriedTimers: Timers = {
  now: () => performance.now() * 100,
  random: () => Math.random(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs / 100);
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
