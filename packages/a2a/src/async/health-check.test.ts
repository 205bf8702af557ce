import { expect, test } from "vitest";
import { createTestClock } from "../testing/create-test-clock.js";
import { createHealthCheck } from "./health-check.js";

test("a check is asked once for all who wait, and again after that", async () => {
  let asked = 0;
  const findProblem = createHealthCheck(async () => void (asked += 1), createTestClock());
  expect(await Promise.all([findProblem(), findProblem()])).toEqual([undefined, undefined]);
  expect(asked).toBe(1);
  await findProblem();
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
])("what a check %s is what is wrong, and it leaves no timer", async (_, check) => {
  const clock = createTestClock();
  expect(await createHealthCheck(check, clock)()).toEqual(new Error("ill"));
  expect(clock.pending).toBe(0);
});

test("a check that does not answer fails after five seconds, and may be asked again", async () => {
  const clock = createTestClock();
  let asked = 0;
  const check = (): Promise<void> => {
    asked += 1;
    return asked === 1 ? new Promise(() => undefined) : Promise.resolve();
  };
  const findProblem = createHealthCheck(check, clock);
  const first = findProblem();
  await clock.advance(4999);
  expect(clock.pending).toBe(1);
  await clock.advance(1);
  expect(await first).toEqual(new Error("the check took longer than 5000 ms"));
  expect(await findProblem()).toBeUndefined();
});
