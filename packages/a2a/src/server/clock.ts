/** The runtime's time and timers. Tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after `delayMs`. The returned function cancels that. */
  after(delayMs: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer: unknown = setTimeout(callback, delayMs);
    // A pending timer would keep a node process alive. In browsers timers are numbers.
    if (typeof timer === "object" && timer !== null && "unref" in timer) {
      (timer as { unref(): void }).unref();
    }
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};

/** Resolves after `delayMs`, or as soon as the signal is aborted. */
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

/** A time as the protocol writes it. */
export function timestampOf(now: number): string {
  return new Date(now).toISOString();
}
