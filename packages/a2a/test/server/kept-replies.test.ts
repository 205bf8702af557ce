import { expect, test } from "vitest";
import { agent, openRuntime } from "../../src/server/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import type { CallContext, SendMessageRequest } from "../../src/protocol/internal.js";

const echo = agent({ name: "Echo", description: "Echoes", run: ({ text }) => text });
const request: SendMessageRequest = {
  message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hello" }] },
};
const earlier: CallContext = { version: "0.3" };

async function openEcho() {
  const runtime = await openRuntime({ agent: echo, store: createMemoryStore() });
  return runtime;
}

test("a caller before 1.0 gets a direct reply as a finished task, by the id of its message", async () => {
  await using runtime = await openEcho();
  const { message } = await runtime.sendMessage(request, earlier);
  const task = await runtime.getTask({ id: message?.messageId ?? "" }, earlier);
  expect(task).toEqual({
    id: message?.messageId,
    contextId: message?.contextId,
    status: { state: "TASK_STATE_COMPLETED", message },
  });
});

test.each([
  ["a caller of 1.0", { version: "1.0" }],
  ["another caller", { version: "0.3", principal: { subject: "someone else" } }],
] as const)("%s does not find it", async (_, call) => {
  await using runtime = await openEcho();
  const { message } = await runtime.sendMessage(request, earlier);
  const found = runtime.getTask({ id: message?.messageId ?? "" }, call);
  await expect(found).rejects.toMatchObject({ code: "TASK_NOT_FOUND" });
});
