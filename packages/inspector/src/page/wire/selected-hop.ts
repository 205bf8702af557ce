import { computed, signal } from "@preact/signals";
import type { ReadonlySignal, Signal } from "@preact/signals";
import { route } from "../router/route.js";
import { allHops, hopsVersion } from "../state/hops.js";
import type { KnownHop } from "../state/hops.js";

/** Whether the pane takes the whole width and shows all columns side by side. */
export const isWireWide: Signal<boolean> = signal(false);

/** The hop of the address, `?hop=7`; without one the latest that is a call of A2A. */
export const selectedHop: ReadonlySignal<KnownHop | undefined> = computed(() => {
  void hopsVersion.value;
  const hops = allHops();
  const asked = Number(route.value.query.get("hop"));
  const found = asked > 0 ? hops.find(({ summary }) => summary.id === asked) : undefined;
  return found ?? hops.findLast(({ summary }) => summary.operation !== undefined) ?? hops.at(-1);
});
