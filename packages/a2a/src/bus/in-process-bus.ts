import type { Bus } from "./bus.js";

/** Drops its function when it ends, because hash tables may keep the subscription in memory for longer. */
interface Subscription {
  wake: ((sequence: number) => void) | undefined;
}

/** The bus of a single process. */
export function createInProcessBus(): Bus {
  const subscriptions = new Map<string, readonly Subscription[]>();
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
    for (const woken of subscriptions.values()) for (const one of woken) one.wake = undefined;
    subscriptions.clear();
  };
  return {
    publish(taskId, sequence) {
      // Wakes those that are subscribed now. A subscription that begins later waits for the next wake-up.
      const woken = subscriptions.get(taskId);
      if (woken === undefined) return;
      queueMicrotask(() => {
        for (const { wake } of woken) wake?.(sequence);
      });
    },
    subscribe(taskId, wake) {
      if (isClosed) return () => {};
      const subscription: Subscription = { wake };
      subscriptions.set(taskId, [...(subscriptions.get(taskId) ?? []), subscription]);
      return () => {
        subscription.wake = undefined;
        const others = subscriptions.get(taskId)?.filter((other) => other !== subscription) ?? [];
        if (others.length > 0) subscriptions.set(taskId, others);
        else subscriptions.delete(taskId);
      };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
