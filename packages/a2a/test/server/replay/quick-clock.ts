import { createTestClock } from "../../../src/testing/index.js";
import type { TestClock } from "../../../src/testing/index.js";

/** Lets everything settle that needs neither time nor a disk. Much faster than a timer of the system. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A test clock for very many short cases: between two timers it waits for promises only. */
export function createQuickClock(): TestClock {
  return createTestClock(undefined, turn);
}
