/** Time, as the runtime sees it. Tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after a while, unless the returned function is called first. */
  after(delayMs: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer: unknown = setTimeout(callback, delayMs);
    // Node would stay alive for a pending timer; elsewhere timers are numbers.
    if (typeof timer === "object" && timer !== null && "unref" in timer) {
      (timer as { unref(): void }).unref();
    }
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};

/** Resolves after a while, or at once when the signal is aborted. */
export function delay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const cancel = clock.after(delayMs, finish);
    signal?.addEventListener("abort", finish, { once: true });
    function finish(): void {
      cancel();
      signal?.removeEventListener("abort", finish);
      resolve();
    }
  });
}

/** A moment as the protocol writes it. */
export function timestampOf(now: number): string {
  return new Date(now).toISOString();
}
