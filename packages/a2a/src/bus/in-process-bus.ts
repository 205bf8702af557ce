import type { Bus } from "./bus.js";

type Wake = (sequence: number) => void;

/** The bus of a single process. */
export function createInProcessBus(): Bus {
  const listeners = new Map<string, Set<Wake>>();
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
    for (const woken of listeners.values()) woken.clear();
    listeners.clear();
  };
  return {
    publish(taskId, sequence) {
      const woken = listeners.get(taskId);
      if (woken === undefined) return;
      queueMicrotask(() => {
        // Of those who watch now: who begins while others are woken waits for the next.
        for (const wake of Array.from(woken)) if (woken.has(wake)) wake(sequence);
      });
    },
    subscribe(taskId, wake) {
      if (isClosed) return () => {};
      let woken = listeners.get(taskId);
      if (woken === undefined) listeners.set(taskId, (woken = new Set()));
      // A wrapper of its own, so that one function subscribed twice counts twice.
      const listener: Wake = (sequence) => wake(sequence);
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
