import { describe, expect, it } from "vitest";
import {
  A2AError,
  createService,
  failureOf,
  statusDetailsUri,
  TaskNotCompleted,
} from "@parley/a2a";
import type { Artifact, Message, Task, TaskFailure, TaskState } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { RemoteAgent } from "@parley/a2a/client";
import { bareCard } from "./bare-card.js";
import { verifies } from "../spec/verifies.js";

/** Connects to an agent that answers every message with this. */
function connectTo(answer: { readonly task: Task } | { readonly message: Message }) {
  return connect(bareCard("test:", "TEST", { name: "Travel" }), {
    transports: {
      TEST: () =>
        createService(
          async (operation) => {
            if (operation !== "sendMessage") throw new A2AError("INTERNAL", operation);
            return answer as never;
          },
          () => {
            throw new A2AError("INTERNAL", "not called");
          },
        ),
    },
  });
}

function messageOf(...texts: readonly string[]): Message {
  return { messageId: "m", role: "ROLE_AGENT", parts: texts.map((text) => ({ text })) };
}

function taskOf(state: TaskState, said: string, ...artifacts: readonly Artifact["parts"][]): Task {
  return {
    id: "t1",
    status: { state, ...(said !== "" && { message: messageOf(said) }) },
    artifacts: artifacts.map((parts, index) => ({ artifactId: `a${index}`, parts })),
  };
}

async function textOfTask(...task: Parameters<typeof taskOf>): Promise<string> {
  return (await connectTo({ task: taskOf(...task) })).text("go");
}

/** What `text()` rejects with. */
async function refusal(task: Task, options: Parameters<RemoteAgent["text"]>[1] = {}) {
  const agent = await connectTo({ task });
  const error: unknown = await agent.text("go", options).catch((caught: unknown) => caught);
  if (!TaskNotCompleted.is(error)) throw new Error("text() did not reject as expected");
  return error;
}

describe("the text of an answer", () => {
  it("is that of a message", async () => {
    const agent = await connectTo({ message: messageOf("one", "two") });
    expect(await agent.text("go")).toBe("one\ntwo");
  });

  it.each<[string, Parameters<typeof taskOf>, string]>([
    [
      "that of the artifacts of a completed task, each on its own lines",
      ["TASK_STATE_COMPLETED", "", [{ text: "on" }, { text: "e" }], [{ text: "two" }]],
      "one\ntwo",
    ],
    [
      "that of the artifacts, whatever the status says",
      ["TASK_STATE_COMPLETED", "All done", [{ text: "one" }]],
      "one",
    ],
    [
      "that of the status when no artifact has text",
      ["TASK_STATE_COMPLETED", "See the file", [{ raw: "AA==" }], [{ text: "" }]],
      "See the file",
    ],
    [
      "that of the status when there is no artifact",
      ["TASK_STATE_COMPLETED", "All done"],
      "All done",
    ],
    ["empty when nothing has text", ["TASK_STATE_COMPLETED", "", [{ data: 1 }]], ""],
  ])("is %s", async (_, task, text) => {
    verifies("message:history-reliance");
    expect(await textOfTask(...task)).toBe(text);
  });
});

describe("a task that did not complete", () => {
  it.each<[TaskState, string, string, string]>([
    ["TASK_STATE_FAILED", "No seats", "INTERNAL", 'task t1 of Travel failed: "No seats"'],
    ["TASK_STATE_FAILED", "", "INTERNAL", "task t1 of Travel failed; the agent gives no reason"],
    [
      "TASK_STATE_CANCELED",
      "As you wish",
      "UNSUPPORTED_OPERATION",
      'task t1 of Travel was canceled: "As you wish"',
    ],
    [
      "TASK_STATE_REJECTED",
      "",
      "UNSUPPORTED_OPERATION",
      "task t1 of Travel was rejected; the agent gives no reason",
    ],
    [
      "TASK_STATE_INPUT_REQUIRED",
      "Where to?",
      "UNSUPPORTED_OPERATION",
      'Travel asks for input: "Where to?"; answer with the option onInputRequired, with reply() of a task ' +
        'from start(), or by a message with taskId "t1"',
    ],
    [
      "TASK_STATE_AUTH_REQUIRED",
      "Log in at https://bank.example",
      "UNSUPPORTED_OPERATION",
      'Travel asks for authorization: "Log in at https://bank.example"; answer with the option ' +
        'onAuthRequired, with reply() of a task from start(), or by a message with taskId "t1"',
    ],
  ])("rejects when it is %s and says %j", async (state, said, code, message) => {
    const task = taskOf(state, said, [{ text: "so far" }]);
    const error = await refusal(task);
    expect(error).toMatchObject({
      code,
      message,
      text: "so far",
      task: { id: "t1", status: { state } },
      details: { metadata: { taskId: "t1", state } },
    });
    expect(error).toBeInstanceOf(A2AError);
    expect(A2AError.is(error)).toBe(true);
  });

  it.each<[string, Task["metadata"], TaskFailure | undefined]>([
    ["nothing", undefined, undefined],
    ["only its progress", { [statusDetailsUri]: { progress: 0.5 } }, undefined],
    [
      "a code and details",
      {
        [statusDetailsUri]: { error: { code: "FULL", message: "No seats", details: { left: 0 } } },
      },
      { code: "FULL", message: "No seats", details: { left: 0 } },
    ],
    [
      "what cannot be read",
      { [statusDetailsUri]: { error: { code: 7, message: null, details: "none", more: 1 } } },
      {},
    ],
    ["an error that is none", { [statusDetailsUri]: { error: "No seats" } }, undefined],
    ["no details at all", { [statusDetailsUri]: null }, undefined],
  ])("has a failure for programs when the agent tells %s", async (_, metadata, failure) => {
    const task = taskOf("TASK_STATE_FAILED", "No seats");
    const error = await refusal(metadata === undefined ? task : { ...task, metadata });
    expect(error.failure).toEqual(failure);
    expect(failureOf(error.task)).toEqual(failure);
  });

  it("is told from other errors, whichever copy of the library made it", async () => {
    const error = await refusal(taskOf("TASK_STATE_FAILED", ""));
    expect(TaskNotCompleted.is(error)).toBe(true);
    const { name, code, task, text } = error;
    expect(TaskNotCompleted.is(Object.assign(new Error("copy"), { name, code, task, text }))).toBe(
      true,
    );
    expect(TaskNotCompleted.is(new A2AError("INTERNAL", "no"))).toBe(false);
    expect(TaskNotCompleted.is({ task })).toBe(false);
  });

  it("is quoted no further than needed", async () => {
    const { message, task } = await refusal(
      taskOf("TASK_STATE_INPUT_REQUIRED", "x".repeat(100_000)),
    );
    expect(message.length).toBeLessThan(800);
    expect(message).toContain('x…"');
    expect(task.status.message?.parts[0]?.text).toHaveLength(100_000);
  });

  it("says that it was not awaited, if the caller wanted it so", async () => {
    const { message } = await refusal(taskOf("TASK_STATE_WORKING", ""), {
      returnImmediately: true,
    });
    expect(message).toBe(
      "task t1 of Travel is working; without returnImmediately, text() waits for it",
    );
  });
});
