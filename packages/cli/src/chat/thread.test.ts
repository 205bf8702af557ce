import { expect, test } from "vitest";
import type { AgentEvent } from "@parley/a2a";
import { Thread } from "./thread.js";

const status = (state: string, taskId = "t"): AgentEvent =>
  ({
    kind: "status",
    taskId,
    contextId: "c",
    status: { state: `TASK_STATE_${state}` },
  }) as AgentEvent;

test("carries the context, and the task only while it waits for its caller", () => {
  const thread = new Thread();
  expect(thread.next).toEqual({});
  thread.note(status("INPUT_REQUIRED"));
  expect(thread.next).toEqual({ contextId: "c", taskId: "t" });
  thread.note(status("WORKING"));
  expect(thread.next).toEqual({ contextId: "c" });
  thread.note(status("AUTH_REQUIRED", "u"));
  expect(thread.next).toEqual({ contextId: "c", taskId: "u" });
  thread.note(status("COMPLETED", "u"));
  expect(thread.next).toEqual({ contextId: "c" });
});
