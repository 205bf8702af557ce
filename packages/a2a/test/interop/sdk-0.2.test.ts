import { randomUUID } from "node:crypto";
import { A2AClient } from "a2a-sdk-0.2/client";
import type { Artifact, Message, MessageSendParams, Task } from "a2a-sdk-0.2";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { collect, take } from "../support/streams.js";
import { openDemo, streamedText } from "../support/servers/open-demo.js";
import type { Demo } from "../support/servers/open-demo.js";

type StreamEvent =
  ReturnType<A2AClient["sendMessageStream"]> extends AsyncIterable<infer Event> ? Event : never;

let demo: Demo;
let client: A2AClient;

beforeAll(async () => {
  demo = await openDemo();
  client = new A2AClient(demo.url);
});

afterAll(() => demo[Symbol.asyncDispose]());

function say(text: string, of: Partial<Message> = {}): MessageSendParams {
  const messageId = randomUUID();
  const parts = [{ kind: "text" as const, text }];
  return { message: { kind: "message", messageId, role: "user", parts, ...of } };
}

/** The result of a response, or a failed test. */
function resultOf<T>(response: { readonly result: T } | { readonly error: object }): T {
  if ("error" in response) expect.fail(JSON.stringify(response.error));
  return response.result;
}

async function send(text: string, of: Partial<Message> = {}): Promise<Task> {
  const result = resultOf(await client.sendMessage(say(text, of)));
  return result.kind === "task" ? result : expect.fail("a message came in place of a task");
}

function textOf(artifacts: readonly Artifact[]): string {
  const parts = artifacts.flatMap((artifact) => artifact.parts);
  return parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
}

function artifactsIn(events: readonly StreamEvent[]): Artifact[] {
  return events.flatMap((event) => {
    if (event.kind === "task") return event.artifacts ?? [];
    return event.kind === "artifact-update" ? [event.artifact] : [];
  });
}

test("reads the card at /.well-known/agent.json and calls the URL in it", async () => {
  const card = await client.getAgentCard();
  expect(card).toMatchObject({
    name: "Parley demo",
    url: demo.url,
    protocolVersion: "0.3.0",
    preferredTransport: "JSONRPC",
    capabilities: { streaming: true, pushNotifications: true },
    supportsAuthenticatedExtendedCard: true,
  });
});

test("reads a card at the path of 0.3 too", async () => {
  const card = await client.getAgentCard(demo.url, ".well-known/agent-card.json");
  expect(card).toMatchObject({ name: "Parley demo", url: demo.url });
});

test("gets a message where the agent answers directly", async () => {
  const result = resultOf(await client.sendMessage(say("echo hello")));
  expect(result).toMatchObject({
    kind: "message",
    role: "agent",
    parts: [{ kind: "text", text: "hello" }],
    contextId: expect.any(String),
  });
});

test("gets a finished task with its artifact and history", async () => {
  const task = await send("task hello");
  expect(task).toMatchObject({
    kind: "task",
    status: { state: "completed", timestamp: expect.any(String) },
    artifacts: [{ artifactId: "result", parts: [{ kind: "text", text: "hello" }] }],
    history: [{ role: "user", taskId: task.id, contextId: task.contextId }],
  });
});

test("gets a task at once when it does not want to wait", async () => {
  const params = {
    ...say("wait 0.2"),
    configuration: { acceptedOutputModes: [], blocking: false },
  };
  const task = resultOf(await client.sendMessage(params));
  expect(task).toMatchObject({ kind: "task", status: { state: "working" } });
  await expect
    .poll(async () => resultOf(await client.getTask({ id: (task as Task).id })).status.state)
    .toBe("completed");
});

test("streams every event of a task, in order", async () => {
  const events = await collect(client.sendMessageStream(say("stream 5 2")));
  const chunks = Array.from({ length: 5 }, () => "artifact-update");
  expect(events.map(({ kind }) => kind)).toEqual([
    "task",
    "status-update",
    ...chunks,
    "status-update",
  ]);
  expect(textOf(artifactsIn(events))).toBe(streamedText(5));
  expect(events[1]).toMatchObject({ status: { state: "working" }, final: false });
  expect(events.at(-1)).toMatchObject({ status: { state: "completed" }, final: true });
});

test("streams a direct answer as its only event", async () => {
  const events = await collect(client.sendMessageStream(say("echo hello")));
  expect(events).toMatchObject([{ kind: "message", parts: [{ text: "hello" }] }]);
});

test("gets a task, with as much of its history as it asks for", async () => {
  const { id } = await send("task hello");
  const whole = resultOf(await client.getTask({ id }));
  expect(whole).toMatchObject({ kind: "task", id, status: { state: "completed" } });
  expect(whole.history).toHaveLength(1);
  const bare = resultOf(await client.getTask({ id, historyLength: 0 }));
  expect(bare).toMatchObject({ id, artifacts: [{ artifactId: "result" }] });
  expect(bare.history ?? []).toHaveLength(0);
});

test("answers the questions of a task until it is done", async () => {
  const asked = await send("flight");
  expect(asked.status).toMatchObject({
    state: "input-required",
    message: { role: "agent", parts: [{ kind: "text", text: expect.stringContaining("Where") }] },
  });
  const { id: taskId, contextId } = asked;
  const again = await send("from Zurich to Tokyo", { taskId, contextId });
  expect(again).toMatchObject({ id: taskId, contextId, status: { state: "input-required" } });
  const done = await send("in May", { taskId });
  expect(done).toMatchObject({
    id: taskId,
    status: { state: "completed" },
    artifacts: [
      {
        artifactId: "itinerary",
        parts: [{ kind: "data", data: { route: "from Zurich to Tokyo", dates: "in May" } }],
      },
      { parts: [{ kind: "text", text: expect.stringContaining("XYZ123") }] },
    ],
  });
});

test("ends the stream of a task that asks, and says so", async () => {
  const events = await collect(client.sendMessageStream(say("flight")));
  expect(events.at(-1)).toMatchObject({ status: { state: "input-required" }, final: true });
});

test("cancels a task at work", async () => {
  const [task] = await take(client.sendMessageStream(say("wait 60")), 1);
  const { id } = task as Task;
  const canceled = resultOf(await client.cancelTask({ id }));
  expect(canceled).toMatchObject({ kind: "task", id, status: { state: "canceled" } });
});

test("resubscribes to a task at work and misses nothing", async () => {
  const [task] = await take(client.sendMessageStream(say("stream 10 20")), 3);
  const events = await collect(client.resubscribeTask({ id: (task as Task).id }));
  expect(events[0]).toMatchObject({ kind: "task", status: { state: "working" } });
  expect(textOf(artifactsIn(events))).toBe(streamedText(10));
  expect(events.at(-1)).toMatchObject({ status: { state: "completed" }, final: true });
});

test("resubscribes to a finished task and gets it as the only event", async () => {
  const { id } = await send("task hello");
  const events = await collect(client.resubscribeTask({ id }));
  expect(events).toMatchObject([{ kind: "task", id, status: { state: "completed" } }]);
});

test("sets and gets the push configuration of a task", async () => {
  const { id } = await send("task hello");
  const pushNotificationConfig = {
    url: "https://caller.example/hook",
    token: "known to the caller",
    authentication: { schemes: ["Bearer"], credentials: "secret" },
  };
  const set = await client.setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig });
  expect(resultOf(set)).toMatchObject({ taskId: id, pushNotificationConfig });
  const got = resultOf(await client.getTaskPushNotificationConfig({ id }));
  expect(got).toMatchObject({
    taskId: id,
    pushNotificationConfig: {
      url: "https://caller.example/hook",
      token: "known to the caller",
      authentication: { schemes: ["Bearer"] },
    },
  });
  expect(JSON.stringify(got)).not.toContain("secret");
});

test.each([
  ["get", () => client.getTask({ id: "unknown" }), -32001],
  ["cancel", () => client.cancelTask({ id: "unknown" }), -32001],
  ["send", () => client.sendMessage(say("hello", { taskId: "unknown" })), -32001],
  ["get push", () => client.getTaskPushNotificationConfig({ id: "unknown" }), -32001],
])("is told by %s that a task is unknown", async (_, call, code) => {
  expect(await call()).toMatchObject({ error: { code } });
});

test("is told that a finished task cannot be canceled", async () => {
  const { id } = await send("task hello");
  expect(await client.cancelTask({ id })).toMatchObject({ error: { code: -32002 } });
});

test.each([
  ["resubscribe", () => client.resubscribeTask({ id: "unknown" })],
  ["stream", () => client.sendMessageStream(say("hello", { taskId: "unknown" }))],
])("is told by a stream (%s) that a task is unknown", async (_, open) => {
  const quiet = vi.spyOn(console, "error").mockReturnValue();
  await expect(collect(open())).rejects.toThrow("Code: -32001");
  quiet.mockRestore();
});
