import { systemClock } from "./clock.js";
import type { Clock } from "./clock.js";

const checkTimeoutMs = 5000;

/**
 * Asks a check at most once at a time, however many callers wait for it. Resolves to false if the check throws,
 * rejects, or takes longer than 5 s.
 */
export function createHealthCheck(
  check: () => Promise<void>,
  clock: Clock = systemClock,
): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  const ask = (): Promise<boolean> =>
    new Promise((resolve) => {
      const settle = (succeeded: boolean): void => {
        cancel();
        asking = undefined;
        resolve(succeeded);
      };
      const cancel = clock.after(checkTimeoutMs, () => settle(false));
      // A check may throw before it returns a promise.
      Promise.resolve()
        .then(check)
        .then(
          () => settle(true),
          () => settle(false),
        );
    });
  return () => (asking ??= ask());
}
