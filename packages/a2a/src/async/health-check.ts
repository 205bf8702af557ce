import { systemClock } from "./clock.js";
import type { Clock } from "./clock.js";

const checkTimeoutMs = 5000;

/**
 * Asks a check at most once at a time, however many callers wait for it. Resolves to what is wrong: what the check
 * throws, or that it takes longer than 5 s; to `undefined` if nothing is.
 */
export function createHealthCheck(
  check: () => Promise<void>,
  clock: Clock = systemClock,
): () => Promise<Error | undefined> {
  let asking: Promise<Error | undefined> | undefined;
  const ask = (): Promise<Error | undefined> =>
    new Promise((resolve) => {
      const settle = (problem?: Error): void => {
        cancel();
        asking = undefined;
        resolve(problem);
      };
      const late = new Error(`the check took longer than ${checkTimeoutMs} ms`);
      const cancel = clock.after(checkTimeoutMs, () => settle(late));
      // A check may throw before it returns a promise.
      Promise.resolve()
        .then(check)
        .then(
          () => settle(),
          (error: unknown) => settle(error instanceof Error ? error : new Error(String(error))),
        );
    });
  return () => (asking ??= ask());
}
