import { describe, expect, it } from "vitest";
import { verifies } from "../../test/spec/verifies.js";
import { toStreamResponse } from "./task-event.js";
import type { TaskEvent } from "./task-event.js";
import type { StreamResponse } from "./stream-response.js";
import type { Task } from "./task.js";

const task: Task = { id: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" } };
const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }] } as const;
const artifact = { artifactId: "a1", parts: [{ text: "x" }] };

describe("what a stream shows of an event", () => {
  it.each<[string, TaskEvent, StreamResponse | undefined]>([
    [
      "is the task as it was created",
      {
        kind: "task-created",
        taskId: "t1",
        contextId: "c1",
        status: task.status,
        metadata: { a: 1 },
      },
      { task: { ...task, metadata: { a: 1 } } },
    ],
    [
      "is nothing of a message that joins the history",
      { kind: "message-added", message },
      undefined,
    ],
    [
      "is a status with its metadata",
      { kind: "status-changed", status: task.status, metadata: { a: 1 } },
      {
        statusUpdate: {
          taskId: "t1",
          contextId: "c1",
          status: task.status,
          metadata: { a: 1 },
        },
      },
    ],
    [
      "is a status alone",
      { kind: "status-changed", status: task.status },
      { statusUpdate: { taskId: "t1", contextId: "c1", status: task.status } },
    ],
    [
      "is an artifact with its flags and metadata",
      {
        kind: "artifact-updated",
        artifact,
        append: true,
        lastChunk: true,
        metadata: { a: 1 },
      },
      {
        artifactUpdate: {
          taskId: "t1",
          contextId: "c1",
          artifact,
          append: true,
          lastChunk: true,
          metadata: { a: 1 },
        },
      },
    ],
    [
      "is an artifact alone",
      { kind: "artifact-updated", artifact },
      { artifactUpdate: { taskId: "t1", contextId: "c1", artifact } },
    ],
  ])("%s", (_, event, expected) => {
    verifies("stream:one-payload", "stream:status-update-fields", "stream:artifact-update-fields");
    expect(toStreamResponse(event, task)).toStrictEqual(expected);
  });

  it("has an empty context where the task has none", () => {
    const event = toStreamResponse({ kind: "status-changed", status: task.status }, { id: "t1" });
    expect(event?.statusUpdate?.contextId).toBe("");
  });
});
