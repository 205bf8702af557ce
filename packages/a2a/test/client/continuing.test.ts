import { describe, expect, it } from "vitest";
import { A2AError, createService } from "@parley/a2a";
import type { SendMessageRequest, Task } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { RemoteAgent } from "@parley/a2a/client";
import { bareCard } from "./bare-card.js";
import { verifies } from "../spec/verifies.js";

const asking: Task = { id: "t", contextId: "c", status: { state: "TASK_STATE_INPUT_REQUIRED" } };
const done: Task = { id: "t", contextId: "c", status: { state: "TASK_STATE_COMPLETED" } };

/** Connects to an agent that asks once, and notes what it is sent. */
async function connectToAsking() {
  const requests: SendMessageRequest[] = [];
  const keys: (string | undefined)[] = [];
  const agent: RemoteAgent = await connect(bareCard("test:", "TEST"), {
    transports: {
      TEST: () =>
        createService(
          async (operation, request, { idempotencyKey }) => {
            if (operation !== "sendMessage") throw new A2AError("INTERNAL", operation);
            keys.push(idempotencyKey);
            const task = requests.push(request as SendMessageRequest) === 1 ? asking : done;
            return { task } as never;
          },
          () => {
            throw new A2AError("INTERNAL", "not called");
          },
        ),
    },
  });
  return { agent, requests, keys };
}

const options = {
  contextId: "c",
  idempotencyKey: "k",
  acceptedOutputModes: ["text/plain"],
  taskPushNotificationConfig: { url: "https://me.example.com/hook" },
};

describe("an answer to a question", () => {
  it("registers no webhook again, and repeats no key, when reply() sends it", async () => {
    verifies("send:inline-push-task-id");
    const { agent, requests, keys } = await connectToAsking();
    const started = await agent.start("Book a flight", options);
    if (started.kind !== "task") throw new Error("expected a task");
    await started.reply("to Tokyo");
    expect(keys).toEqual(["k", undefined]);
    expect(requests[0]?.configuration?.taskPushNotificationConfig?.url).toBe(
      "https://me.example.com/hook",
    );
    expect(requests[0]?.configuration?.taskPushNotificationConfig).not.toHaveProperty("taskId");
    expect(requests[1]).toEqual({
      message: {
        messageId: expect.any(String) as string,
        role: "ROLE_USER",
        parts: [{ text: "to Tokyo" }],
        taskId: "t",
      },
      configuration: { acceptedOutputModes: ["text/plain"], returnImmediately: true },
    });
  });

  it("registers no webhook again, and repeats no key, when onInputRequired gives it", async () => {
    verifies("context:opaque");
    const { agent, requests, keys } = await connectToAsking();
    await agent.send("Book a flight", { ...options, onInputRequired: () => "to Tokyo" });
    expect(keys).toEqual(["k", undefined]);
    expect(requests.map((one) => one.configuration?.taskPushNotificationConfig?.url)).toEqual([
      "https://me.example.com/hook",
      undefined,
    ]);
    expect(requests[1]?.message).toMatchObject({ taskId: "t", contextId: "c" });
  });
});
