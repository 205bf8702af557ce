import { expect, test } from "vitest";
import { createTestClock } from "../testing/create-test-clock.js";
import { createHealthCheck } from "./health-check.js";

test("a check is asked once for all who wait, and again after that", async () => {
  let asked = 0;
  const isHealthy = createHealthCheck(async () => void (asked += 1), createTestClock());
  expect(await Promise.all([isHealthy(), isHealthy()])).toEqual([true, true]);
  expect(asked).toBe(1);
  await isHealthy();
  expect(asked).toBe(2);
});

test.each([
  ["rejects", () => Promise.reject(new Error("ill"))],
  [
    "throws",
    () => {
      throw new Error("ill");
    },
  ],
])("a check that %s fails, and leaves no timer", async (_, check) => {
  const clock = createTestClock();
  expect(await createHealthCheck(check, clock)()).toBe(false);
  expect(clock.pending).toBe(0);
});

test("a check that does not answer fails after five seconds, and may be asked again", async () => {
  const clock = createTestClock();
  let asked = 0;
  const check = (): Promise<void> => {
    asked += 1;
    return asked === 1 ? new Promise(() => undefined) : Promise.resolve();
  };
  const isHealthy = createHealthCheck(check, clock);
  const first = isHealthy();
  await clock.advance(4999);
  expect(clock.pending).toBe(1);
  await clock.advance(1);
  expect(await first).toBe(false);
  expect(await isHealthy()).toBe(true);
});
