import { expect, test } from "vitest";
import { retryDelay } from "./retry-delay.js";

const pauses = { minPushDelayMs: 1000, maxPushDelayMs: 3_600_000 };

test.for([
  [1, 1000, 1000],
  [2, 1000, 2000],
  [3, 2000, 4000],
  [12, 1_024_000, 2_048_000],
  [13, 1_800_000, 3_600_000],
  [5000, 1_800_000, 3_600_000],
] as const)("after %d attempts is waited between %d and %d ms", ([attempts, least, most]) => {
  expect(retryDelay(attempts, pauses, () => 1 - Number.EPSILON)).toBeCloseTo(least, -1);
  expect(retryDelay(attempts, pauses, () => 0)).toBe(most);
  expect(Number.isInteger(retryDelay(attempts, pauses, () => 0.123_456_7))).toBe(true);
});
