/** Node and its kin have it; what this is compiled for need not. */
const { setImmediate = (action: () => void) => setTimeout(action, 0) } = globalThis as {
  readonly setImmediate?: (action: () => void) => unknown;
};

/**
 * Does something once everything has been done that can be done without waiting, by all that one turn of
 * the event loop brings.
 */
export function atTurnsEnd(action: () => void): void {
  setImmediate(action);
}
