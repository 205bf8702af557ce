import { getHeapStatistics } from "node:v8";

const bytesPerRun = 4 * 1024 * 1024;
const fewest = 16;

/** How many runs may work at the same time within a heap of this size: one for every 4 MiB, and at least 16. */
export function runsForMemory(heapBytes: number = getHeapStatistics().heap_size_limit): number {
  return Math.max(fewest, Math.floor(heapBytes / bytesPerRun));
}
