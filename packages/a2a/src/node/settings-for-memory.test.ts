import { expect, it } from "vitest";
import { settingsForMemory } from "./settings-for-memory.js";

const mib = 1024 * 1024;

it.each([
  [16 * mib, 16, 2 * mib],
  [256 * mib, 64, 32 * mib],
  [4144 * mib, 1036, 256 * mib],
])("a heap of %d bytes has room for %d runs", (heapBytes, maxConcurrentRuns, maxSuspendedBytes) => {
  expect(settingsForMemory(heapBytes)).toEqual({ maxConcurrentRuns, maxSuspendedBytes });
});
