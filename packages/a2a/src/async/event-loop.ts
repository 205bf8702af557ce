/** Node has `setImmediate`; browsers do not. */
const { setImmediate = (action: () => void) => setTimeout(action, 0) } = globalThis as {
  readonly setImmediate?: (action: () => void) => unknown;
};

/**
 * Runs an action at the end of this turn of the event loop: after all microtasks, and after every callback
 * that this turn still has to run.
 */
export function atTurnsEnd(action: () => void): void {
  setImmediate(action);
}

/**
 * Resolves in the next turn of the event loop, after it has read what has arrived meanwhile. The end of this
 * turn would be too early: it comes before the event loop looks at sockets and timers again.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => atTurnsEnd(() => atTurnsEnd(resolve)));
}
