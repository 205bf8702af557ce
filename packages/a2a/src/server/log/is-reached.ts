import type { Bus } from "../../bus/internal.js";
import type { Store } from "../../store/internal.js";

/** Whether wake-ups pass between this node and the processes that share its store, as far as its bus knows. */
export function isReached({ bus, store }: { readonly bus: Bus; readonly store: Store }): boolean {
  return bus.isConnected && (bus.isShared || !store.isShared);
}
