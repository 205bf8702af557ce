/** A source of time. The edge of the library chooses one; tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after the delay, unless the returned function is called first. */
  after(delayMs: number, callback: () => void): () => void;
  /** Runs an action at the end of the current turn. Absent: at the end of the platform's. */
  atTurnsEnd?(action: () => void): void;
  /**
   * Keeps the process alive until the returned function is called. Absent: by a timer of the platform. A clock whose
   * nodes may vanish in the middle of a stop, as in a simulation, keeps nothing alive.
   */
  keepAlive?(): () => void;
}

/** Timers of most platforms cannot be longer: they fire at once. */
export const longestPauseMs: number = 2 ** 31 - 1;

/**
 * The platform's clock for work in the background, such as that of a server. Its timers do not keep a node
 * process alive: whatever serves callers, a socket for example, has to do that.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer: unknown = setTimeout(callback, delayMs);
    // Only node's timers are objects and can be unreferenced.
    if (typeof timer === "object" && timer !== null && "unref" in timer) {
      (timer as { unref(): void }).unref();
    }
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};

/**
 * The platform's clock for work that somebody awaits, such as a client's call. Its timers keep a node process
 * alive: a program must not end while it waits to try a call again.
 */
export const foregroundClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Keeps the process alive until the returned function is called: timers of `systemClock` do not. */
export function keepAlive(clock: Clock): () => void {
  if (clock.keepAlive !== undefined) return clock.keepAlive();
  const timer = setInterval(() => undefined, 60_000);
  return () => clearInterval(timer);
}

/**
 * Resolves after the delay. Rejects with the signal's reason when the signal is aborted first. Leaves
 * neither a timer nor a listener behind.
 */
export function delay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const stop = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * Resolves when the signal is aborted, and after the delay at the latest. Never rejects. Leaves neither a
 * timer nor a listener behind.
 */
export function delayAtMost(clock: Clock, maxMs: number, signal: AbortSignal): Promise<void> {
  return delay(clock, maxMs, signal).catch(() => undefined);
}
