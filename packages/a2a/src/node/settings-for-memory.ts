import { getHeapStatistics } from "node:v8";
import type { RuntimeOptions } from "../server/internal.js";

const mib = 1024 * 1024;

/**
 * The settings that depend on how large the heap may become: one run with a task, and one without, for every 4 MiB, at
 * least 16 of each; an eighth of the heap for handlers that wait, at most 256 MiB.
 */
export function settingsForMemory(
  heapBytes: number = getHeapStatistics().heap_size_limit,
): NonNullable<RuntimeOptions["settings"]> {
  return {
    maxConcurrentRuns: Math.max(16, Math.floor(heapBytes / (4 * mib))),
    maxSuspendedBytes: Math.min(256 * mib, Math.floor(heapBytes / 8)),
  };
}
