/** Who waits on each signal. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal is aborted; the answer takes that back. However many wait on a signal, it has
 * one listener: to add and remove one for every wait costs more than most of them take.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = waiting.get(signal) ?? listenTo(signal);
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  waiting.set(signal, callbacks);
  const callAll = (): void => {
    for (const callback of callbacks) callback();
  };
  signal.addEventListener("abort", callAll, { once: true });
  return callbacks;
}
