import { expect, it } from "vitest";
import { A2AError } from "./a2a-error.js";
import { canceledError, isCanceled } from "./is-canceled.js";

it("an error that says so says that a task was canceled, and no other does", () => {
  expect(isCanceled(canceledError("the task was canceled"))).toBe(true);
  const others = [
    new A2AError("UNSUPPORTED_OPERATION", "the task was canceled"),
    new A2AError("INTERNAL", "no", { details: { metadata: { state: "TASK_STATE_FAILED" } } }),
    new Error("the task was canceled"),
    undefined,
  ];
  expect(others.map(isCanceled)).toEqual([false, false, false, false]);
});
