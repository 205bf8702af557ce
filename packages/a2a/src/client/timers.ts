/** Time and chance, as the client sees them. Tests bring their own. */
export interface Timers {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Calls back once after a while, unless the result is called before. */
  readonly after: (delayMs: number, callback: () => void) => () => void;
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  random: () => Math.random(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Resolves after a while; rejects with the signal's reason when that comes first. Leaves nothing behind. */
export function delay(timers: Timers, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const cancel = timers.after(delayMs, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    signal?.addEventListener("abort", stop, { once: true });
  });
}
