import type { Bus } from "./bus.js";

/** The bus of a single process. */
export function createInProcessBus(): Bus {
  const listeners = new Map<string, Set<(sequence: number) => void>>();
  const close = async (): Promise<void> => listeners.clear();
  return {
    publish(taskId, sequence) {
      const woken = listeners.get(taskId);
      if (woken === undefined) return;
      queueMicrotask(() => {
        for (const wake of woken) wake(sequence);
      });
    },
    subscribe(taskId, wake) {
      let woken = listeners.get(taskId);
      if (woken === undefined) listeners.set(taskId, (woken = new Set()));
      // A wrapper of its own, so that one function subscribed twice counts twice.
      const listener = (sequence: number): void => wake(sequence);
      woken.add(listener);
      return () => {
        woken.delete(listener);
        if (woken.size === 0 && listeners.get(taskId) === woken) listeners.delete(taskId);
      };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
