import type { Bus } from "../../bus/internal.js";
import { assert } from "../assert.js";

/** What the cases of buses need. */
export interface BusBench {
  readonly bus: Bus;
  /** The same bus as another node sees it. */
  readonly another: () => Promise<Bus>;
  /** A bus of nodes that have nothing to do with these. */
  readonly stranger: () => Promise<Bus>;
  /** Cuts the first bus off from the others. Resolves with a function that mends it. */
  readonly cut: () => Promise<() => Promise<void>>;
}

const patienceMs = 20_000;

/** Waits until pending callbacks have run. A bus may take longer, so no case concludes anything from silence. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

/** Waits for a condition. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const started = Date.now();
  while (!condition()) {
    assert(Date.now() - started < patienceMs, `${what}: not within ${patienceMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Publishes until a subscriber is woken: a bus may lose wake-ups, and a subscription may take a moment. */
export async function publishUntil(
  publish: () => void,
  isHeard: () => boolean,
  what: string,
): Promise<void> {
  await until(() => {
    if (isHeard()) return true;
    publish();
    return false;
  }, what);
}
