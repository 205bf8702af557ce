import { expect, test } from "vitest";
import { isSettled, taskStates } from "../../protocol/internal.js";
import { toState, toStateNumber } from "./states.js";

test("states are stored by numbers that never change", () => {
  const numbers = Object.fromEntries(taskStates.map((state) => [state, toStateNumber(state)]));
  expect(numbers).toEqual({
    TASK_STATE_UNSPECIFIED: 0,
    TASK_STATE_SUBMITTED: 1,
    TASK_STATE_WORKING: 2,
    TASK_STATE_COMPLETED: 3,
    TASK_STATE_FAILED: 4,
    TASK_STATE_CANCELED: 5,
    TASK_STATE_INPUT_REQUIRED: 6,
    TASK_STATE_REJECTED: 7,
    TASK_STATE_AUTH_REQUIRED: 8,
  });
  expect(taskStates.map((state) => toState(toStateNumber(state)))).toEqual(taskStates);
});

test("the numbers up to 2, which the schema knows, are the states in which somebody should work", () => {
  for (const state of taskStates) expect(toStateNumber(state) <= 2).toBe(!isSettled(state));
});
