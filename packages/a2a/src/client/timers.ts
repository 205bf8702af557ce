/** Time and chance, as the client sees them. Tests bring their own. */
export interface Timers {
  readonly random: () => number;
  /** Resolves after a while, or at once when the signal is aborted. */
  delay(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** The promise, or what `onDeadline` makes of the deadline when that comes first. */
  withDeadline<T>(promise: Promise<T>, deadlineMs: number, onDeadline: () => T): Promise<T>;
}

export const systemTimers: Timers = {
  random: Math.random,
  delay: (delayMs, signal) =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, delayMs);
      if (signal?.aborted === true) done();
      else signal?.addEventListener("abort", done, { once: true });
    }),
  withDeadline: (promise, deadlineMs, onDeadline) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        try {
          resolve(onDeadline());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      }, deadlineMs);
      promise.then(resolve, reject).finally(() => clearTimeout(timer));
    }),
};
