import process from "node:process";
import { setImmediate as turn } from "node:timers/promises";

/** What a process has used, and what it holds. */
export interface Usage {
  readonly cpuMicros: number;
  readonly rss: number;
  /** The largest `rss` since the process began. */
  readonly peakRss: number;
}

/** Calls that every process of the benchmark answers. */
export const usageCalls = {
  usage(): Usage {
    const { user, system } = process.cpuUsage();
    return {
      cpuMicros: user + system,
      rss: process.memoryUsage.rss(),
      peakRss: process.resourceUsage().maxRSS * 1024,
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
