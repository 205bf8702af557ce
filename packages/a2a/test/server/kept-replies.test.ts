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

test("a caller before 1.0 gets a direct reply as a finished task, by the id of either message", async () => {
  await using runtime = await openEcho();
  const { message } = await runtime.sendMessage(request, earlier);
  const contextId = message?.contextId;
  for (const id of [message?.messageId ?? "", "m1"]) {
    expect(await runtime.getTask({ id }, earlier)).toEqual({
      id,
      contextId,
      status: { state: "TASK_STATE_COMPLETED", message, timestamp: expect.any(String) as string },
      history: [{ ...request.message, contextId }],
    });
    const { history } = await runtime.getTask({ id, historyLength: 0 }, earlier);
    expect(history).toBeUndefined();
  }
});

test("an id that callers use again keeps leading to the first reply", async () => {
  await using runtime = await openEcho();
  const { message } = await runtime.sendMessage(request, earlier);
  await runtime.sendMessage(request, earlier);
  const task = await runtime.getTask({ id: "m1" }, earlier);
  expect(task.status.message).toEqual(message);
});

test("nothing is kept for callers that share an owner and cannot ask for it", async () => {
  const store = createMemoryStore();
  const settings = { hasAuthentication: true };
  await using runtime = await openRuntime({ agent: echo, store, settings });
  await runtime.sendMessage(request, earlier);
  expect(await store.loadUsage("", "Echo")).toMatchObject({ tasks: 0 });
});

test.each([
  ["a caller of 1.0", { version: "1.0" }],
  ["another caller", { version: "0.3", principal: { subject: "someone else" } }],
] as const)("%s does not find it", async (_, call) => {
  await using runtime = await openEcho();
  const { message } = await runtime.sendMessage(request, earlier);
  for (const id of [message?.messageId ?? "", "m1"]) {
    const found = runtime.getTask({ id }, call);
    await expect(found).rejects.toMatchObject({ code: "TASK_NOT_FOUND" });
    expect(await runtime.createdIn(id, call)).toBeUndefined();
  }
});
