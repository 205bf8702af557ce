import { describe, expect, it } from "vitest";
import { describeState, isInterrupted, isSettled, isTerminal, taskStates } from "./task-state.js";
import type { TaskState } from "./task-state.js";

describe("a task's state", () => {
  it.each<[TaskState, "active" | "interrupted" | "terminal", string]>([
    ["TASK_STATE_UNSPECIFIED", "active", "unspecified"],
    ["TASK_STATE_SUBMITTED", "active", "submitted"],
    ["TASK_STATE_WORKING", "active", "working"],
    ["TASK_STATE_COMPLETED", "terminal", "completed"],
    ["TASK_STATE_FAILED", "terminal", "failed"],
    ["TASK_STATE_CANCELED", "terminal", "canceled"],
    ["TASK_STATE_INPUT_REQUIRED", "interrupted", "input-required"],
    ["TASK_STATE_REJECTED", "terminal", "rejected"],
    ["TASK_STATE_AUTH_REQUIRED", "interrupted", "auth-required"],
  ])("%s is %s and people say %s", (state, phase, name) => {
    expect(isTerminal(state)).toBe(phase === "terminal");
    expect(isInterrupted(state)).toBe(phase === "interrupted");
    expect(isSettled(state)).toBe(phase !== "active");
    expect(describeState(state)).toBe(name);
  });

  it("has the number of its place in the protocol's enum", () => {
    expect(taskStates.indexOf("TASK_STATE_UNSPECIFIED")).toBe(0);
    expect(taskStates.indexOf("TASK_STATE_CANCELED")).toBe(5);
    expect(taskStates.indexOf("TASK_STATE_AUTH_REQUIRED")).toBe(8);
    expect(taskStates).toHaveLength(9);
  });
});
