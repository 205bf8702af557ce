import process from "node:process";
import { setImmediate as turn } from "node:timers/promises";

/** What a process has used, and what it holds. */
export interface Usage {
  readonly cpuMicros: number;
  readonly rss: number;
}

/** The largest `rss` that was seen since `watchRss`. */
let peakSeen = 0;

/** Calls that every process of the benchmark answers. */
export const usageCalls = {
  /**
   * Resolves with the memory (`rss`) after a collection, and looks at it all the time from then on. The largest `rss` since the
   * process began would hide a growth that is below an earlier peak.
   */
  async watchRss(): Promise<number> {
    await usageCalls.heap();
    const before = (peakSeen = process.memoryUsage.rss());
    setInterval(() => (peakSeen = Math.max(peakSeen, process.memoryUsage.rss())), 10).unref();
    return before;
  },
  peakRss: (): number => Math.max(peakSeen, process.memoryUsage.rss()),
  usage(): Usage {
    const { user, system } = process.cpuUsage();
    return {
      cpuMicros: user + system,
      rss: process.memoryUsage.rss(),
    };
  },
  /** Resolves with the heap in use after a collection. */
  async heap(): Promise<number> {
    for (let times = 0; times < 4; times += 1) {
      await turn();
      globalThis.gc?.();
    }
    return process.memoryUsage().heapUsed;
  },
} as const;
