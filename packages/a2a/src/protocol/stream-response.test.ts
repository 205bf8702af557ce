import { describe, expect, it } from "vitest";
import { endsStream } from "./stream-response.js";
import { taskStates } from "./task-state.js";

describe("a stream", () => {
  const ending = (operation: "sendStreamingMessage" | "subscribeToTask"): readonly string[] =>
    taskStates.filter((state) => endsStream(operation, state));
  const terminal = [
    "TASK_STATE_COMPLETED",
    "TASK_STATE_FAILED",
    "TASK_STATE_CANCELED",
    "TASK_STATE_REJECTED",
  ];

  it("of a message ends when the task ends or asks for input", () => {
    expect(ending("sendStreamingMessage").toSorted()).toEqual(
      [...terminal, "TASK_STATE_INPUT_REQUIRED"].toSorted(),
    );
  });

  it("of a subscription ends when the task ends, and not before", () => {
    expect(ending("subscribeToTask").toSorted()).toEqual(terminal.toSorted());
  });

  it("stays open while the task waits for authorization", () => {
    expect(endsStream("sendStreamingMessage", "TASK_STATE_AUTH_REQUIRED")).toBe(false);
    expect(endsStream("subscribeToTask", "TASK_STATE_AUTH_REQUIRED")).toBe(false);
  });
});
