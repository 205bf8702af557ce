import type { Bus } from "../../src/bus/index.js";

/** A bus, and what a node heard over it. */
export interface WatchedBus {
  readonly bus: Bus;
  readonly notices: string[];
  readonly woken: number[];
  lost: number;
}

/** Opens a bus as a node that follows the task `t1`. */
export async function watchBus(
  open: (report: (notice: Error) => void) => Promise<Bus>,
): Promise<WatchedBus> {
  const notices: string[] = [];
  const bus = await open(({ message }) => void notices.push(message));
  const watched: WatchedBus = { bus, notices, woken: [], lost: 0 };
  bus.onLost(() => (watched.lost += 1));
  bus.subscribe("t1", (sequence) => watched.woken.push(sequence));
  return watched;
}
