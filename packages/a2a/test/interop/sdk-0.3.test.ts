import { randomUUID } from "node:crypto";
import {
  ClientFactory,
  ClientFactoryOptions,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "a2a-sdk-0.3/client";
import type { Client } from "a2a-sdk-0.3/client";
import type { Artifact, Message, MessageSendParams, Task } from "a2a-sdk-0.3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collect, take } from "../support/streams.js";
import { extendedName, openDemo, streamedText } from "../support/servers/open-demo.js";
import type { Demo } from "../support/servers/open-demo.js";

type StreamEvent =
  ReturnType<Client["sendMessageStream"]> extends AsyncIterable<infer Event> ? Event : never;

function say(text: string, of: Partial<Message> = {}): MessageSendParams {
  const messageId = randomUUID();
  return {
    message: { kind: "message", messageId, role: "user", parts: [{ kind: "text", text }], ...of },
  };
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

let demo: Demo;

beforeAll(async () => {
  demo = await openDemo();
});

afterAll(() => demo[Symbol.asyncDispose]());

describe.each(["JSONRPC", "HTTP+JSON"])("over %s", (binding) => {
  let client: Client;

  beforeAll(async () => {
    client = await openClient();
  });

  function openClient(): Promise<Client> {
    const options = { ...ClientFactoryOptions.default, preferredTransports: [binding] };
    return new ClientFactory(options).createFromUrl(demo.url);
  }

  async function send(text: string, of: Partial<Message> = {}): Promise<Task> {
    const result = await client.sendMessage(say(text, of));
    return result.kind === "task" ? result : expect.fail("a message came in place of a task");
  }

  test("finds its transport in the card", () => {
    const expected = binding === "JSONRPC" ? "JsonRpcTransport" : "RestTransport";
    expect(client.transport.constructor.name).toMatch(expected);
  });

  test("gets the extended card that the public one announces", async () => {
    const card = await (await openClient()).getAgentCard();
    expect(card).toMatchObject({
      name: extendedName,
      url: demo.url,
      protocolVersion: "0.3.0",
      preferredTransport: "JSONRPC",
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      skills: expect.arrayContaining([expect.objectContaining({ id: "flight" })]),
    });
  });

  test("gets a message where the agent answers directly", async () => {
    expect(await client.sendMessage(say("echo hello"))).toMatchObject({
      kind: "message",
      role: "agent",
      parts: [{ kind: "text", text: "hello" }],
      contextId: expect.any(String),
    });
  });

  test("gets a finished task with its artifact and history", async () => {
    const task = await send("task hello");
    expect(task).toMatchObject({
      status: { state: "completed", timestamp: expect.any(String) },
      artifacts: [
        { artifactId: "result", name: "result.txt", parts: [{ kind: "text", text: "hello" }] },
      ],
      history: [{ role: "user", taskId: task.id, contextId: task.contextId }],
    });
  });

  test("gets a file byte for byte", async () => {
    const { artifacts } = await send("file");
    const bytes = Buffer.from("name,value\nanswer,42\n").toString("base64");
    expect(artifacts).toMatchObject([
      { parts: [{ kind: "file", file: { bytes, mimeType: "text/csv" } }] },
    ]);
  });

  test.each([
    ["fail", "failed"],
    ["reject", "rejected"],
    ["auth", "auth-required"],
  ])("learns of %s by its own name for the state", async (word, state) => {
    expect((await send(word)).status).toMatchObject({ state, message: { role: "agent" } });
  });

  test("gets a task at once when it does not want to wait", async () => {
    const configuration = { blocking: false };
    const task = await client.sendMessage({ ...say("wait 0.2"), configuration });
    expect(task).toMatchObject({ kind: "task", status: { state: "working" } });
    await expect
      .poll(async () => (await client.getTask({ id: (task as Task).id })).status.state)
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
    const whole = await client.getTask({ id });
    expect(whole).toMatchObject({ kind: "task", id, status: { state: "completed" } });
    expect(whole.history).toHaveLength(1);
    const bare = await client.getTask({ id, historyLength: 0 });
    expect(bare).toMatchObject({ id, artifacts: [{ artifactId: "result" }] });
    expect(bare.history ?? []).toHaveLength(0);
  });

  test("answers the questions of a task until it is done", async () => {
    const asked = await send("flight");
    expect(asked.status).toMatchObject({
      state: "input-required",
      message: { role: "agent", parts: [{ text: expect.stringContaining("Where") }] },
    });
    const { id: taskId, contextId } = asked;
    const again = await send("from Zurich to Tokyo", { taskId, contextId });
    expect(again).toMatchObject({ id: taskId, contextId, status: { state: "input-required" } });
    const events = await collect(client.sendMessageStream(say("in May", { taskId })));
    expect(events[0]).toMatchObject({ kind: "task", id: taskId });
    expect(events.at(-1)).toMatchObject({ status: { state: "completed" }, final: true });
    expect(artifactsIn(events)).toMatchObject([
      {
        artifactId: "itinerary",
        parts: [{ kind: "data", data: { route: "from Zurich to Tokyo", dates: "in May" } }],
      },
      { parts: [{ kind: "text", text: expect.stringContaining("XYZ123") }] },
    ]);
  });

  test("ends the stream of a task that asks, and says so", async () => {
    const events = await collect(client.sendMessageStream(say("flight")));
    expect(events.at(-1)).toMatchObject({ status: { state: "input-required" }, final: true });
  });

  test("cancels a task at work", async () => {
    const [task] = await take(client.sendMessageStream(say("wait 60")), 1);
    const { id } = task as Task;
    expect(await client.cancelTask({ id })).toMatchObject({
      kind: "task",
      id,
      status: { state: "canceled" },
    });
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

  test("sets, gets, lists and deletes the push configurations of a task", async () => {
    const { id } = await send("task hello");
    const shown = { id: "hook", url: "https://caller.example/hook", token: "known" };
    const pushNotificationConfig = {
      ...shown,
      authentication: { schemes: ["Bearer"], credentials: "secret" },
    };
    const set = await client.setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig });
    expect(set).toMatchObject({ taskId: id, pushNotificationConfig });
    const named = { id, pushNotificationConfigId: "hook" };
    const expected = {
      taskId: id,
      pushNotificationConfig: { ...shown, authentication: { schemes: ["Bearer"] } },
    };
    const got = await client.getTaskPushNotificationConfig(named);
    expect(got).toMatchObject(expected);
    expect(JSON.stringify(got)).not.toContain("secret");
    expect(await client.listTaskPushNotificationConfig({ id })).toMatchObject([expected]);
    await client.deleteTaskPushNotificationConfig(named);
    expect(await client.listTaskPushNotificationConfig({ id })).toEqual([]);
    await expect(client.getTaskPushNotificationConfig(named)).rejects.toThrow(TaskNotFoundError);
  });

  test("gets the push configuration that it sends with a message", async () => {
    const pushNotificationConfig = { id: "hook", url: "https://caller.example/hook" };
    const task = await client.sendMessage({
      ...say("task hello"),
      configuration: { pushNotificationConfig },
    });
    const listed = await client.listTaskPushNotificationConfig({ id: (task as Task).id });
    expect(listed).toMatchObject([{ pushNotificationConfig }]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["get", () => client.getTask({ id: "unknown" })],
    ["cancel", () => client.cancelTask({ id: "unknown" })],
    ["send", () => client.sendMessage(say("hello", { taskId: "unknown" }))],
    ["list push", () => client.listTaskPushNotificationConfig({ id: "unknown" })],
  ])("is told by %s that a task is unknown", async (_, call) => {
    await expect(call()).rejects.toThrow(TaskNotFoundError);
  });

  test.each([
    ["resubscribe", () => client.resubscribeTask({ id: "unknown" })],
    ["stream", () => client.sendMessageStream(say("hello", { taskId: "unknown" }))],
  ])("is told by a stream (%s) that a task is unknown", async (_, open) => {
    const error = await collect(open()).catch((thrown: unknown) => thrown);
    // Over JSON-RPC this SDK wraps what a stream says.
    const found = binding === "JSONRPC" ? (error as Error).cause : error;
    expect(found).toBeInstanceOf(TaskNotFoundError);
  });

  test("is told that a finished task takes neither a cancellation nor a message", async () => {
    const { id: taskId } = await send("task hello");
    await expect(client.cancelTask({ id: taskId })).rejects.toThrow(TaskNotCancelableError);
    const more = client.sendMessage(say("more", { taskId }));
    await expect(more).rejects.toThrow(UnsupportedOperationError);
  });
});
