import { createInProcessBus } from "../../../src/bus/index.js";
import type { Bus } from "../../../src/bus/index.js";

/** A bus between processes, as far as it can be told. It says nothing while it is cut. */
export function createSharedBus(inner: Bus = createInProcessBus()): {
  readonly bus: Bus;
  /** Cuts the bus, or mends it. */
  readonly become: (isConnected: boolean) => void;
  readonly listeners: ReadonlySet<() => void>;
} {
  const lost = new Set<() => void>();
  const state = { isConnected: true };
  const bus: Bus = {
    ...inner,
    isShared: true,
    get isConnected() {
      return state.isConnected;
    },
    publish: (taskId, sequence) => {
      if (state.isConnected) inner.publish(taskId, sequence);
    },
    onLost: (callback) => {
      lost.add(callback);
      return () => lost.delete(callback);
    },
  };
  const become = (isConnected: boolean): void => {
    state.isConnected = isConnected;
    for (const callback of lost) callback();
  };
  return { bus, become, listeners: lost };
}
