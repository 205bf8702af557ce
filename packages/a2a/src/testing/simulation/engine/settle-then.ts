interface Platform {
  readonly process?: { nextTick(action: () => void): void };
  readonly setImmediate?: (action: () => void) => unknown;
}

const { process, setImmediate } = globalThis as Platform;

/** Calls back in the next turn of the event loop. Taken from the platform before it is guarded. */
export const inNextTurn: (action: () => void) => void =
  setImmediate ?? ((action) => setTimeout(action, 0));

/**
 * Calls back when no microtask is left. On node that is a tick that a microtask has asked for: it comes after all
 * microtasks and before anything else of the process. Elsewhere it is the next turn, which is slower.
 */
export function settleThen(action: () => void): void {
  if (process === undefined) inNextTurn(action);
  else queueMicrotask(() => process.nextTick(action));
}
