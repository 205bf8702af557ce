import { randomUUID } from "node:crypto";
import type { Serving } from "@parley/a2a/node";
import type { Message, MessageSendParams, Task } from "a2a-sdk-0.3";
import { Client, TaskNotCancelableError, TaskNotFoundError } from "a2a-sdk-0.3/client";
import { GrpcTransport } from "a2a-sdk-0.3/client/grpc";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collect, take } from "../support/streams.js";
import { extendedName, streamedText } from "../support/servers/open-demo.js";
import { addressOf, openServed } from "../support/servers/open-served.js";

let serving: Serving;
let client: GrpcTransport;

beforeAll(async () => {
  serving = await openServed();
  client = new GrpcTransport({ endpoint: addressOf(serving) });
});

afterAll(() => serving.close());

function say(text: string, of: Partial<Message> = {}): MessageSendParams {
  const messageId = randomUUID();
  return {
    message: { kind: "message", messageId, role: "user", parts: [{ kind: "text", text }], ...of },
  };
}

async function send(text: string, of: Partial<Message> = {}): Promise<Task> {
  const result = await client.sendMessage(say(text, of));
  return result.kind === "task" ? result : expect.fail("a message came in place of a task");
}

async function begin(text: string): Promise<string> {
  const request = { ...say(text), configuration: { blocking: false, acceptedOutputModes: [] } };
  const result = await client.sendMessage(request);
  return result.kind === "task" ? result.id : expect.fail("a message came in place of a task");
}

test("gets the extended card", async () => {
  expect(await client.getExtendedAgentCard()).toMatchObject({
    name: extendedName,
    protocolVersion: "0.3.0",
    preferredTransport: "JSONRPC",
    skills: expect.arrayContaining([expect.objectContaining({ id: "flight" })]),
  });
});

test("gets a message where the agent answers directly", async () => {
  expect(await client.sendMessage(say("echo hello"))).toMatchObject({
    kind: "message",
    role: "agent",
    parts: [{ kind: "text", text: "hello" }],
  });
});

test("gets a task once it has ended, and the same when it asks for it", async () => {
  const task = await send("task hello");
  expect(task).toMatchObject({
    status: { state: "completed" },
    artifacts: [{ parts: [{ kind: "text", text: "hello" }] }],
  });
  expect(await client.getTask({ id: task.id })).toMatchObject({ artifacts: task.artifacts });
});

test("answers questions in one task, and gets data and a file", async () => {
  const { id: taskId, status } = await send("flight");
  expect(status.state).toBe("input-required");
  await send("from Zurich to Tokyo", { taskId });
  expect(await send("in May", { taskId })).toMatchObject({
    status: { state: "completed" },
    artifacts: [{ parts: [{ kind: "data", data: { dates: "in May" } }] }, {}],
  });
  expect(await send("file")).toMatchObject({
    artifacts: [{ parts: [{ kind: "file", file: { mimeType: "text/csv" } }] }],
  });
});

test("streams, resubscribes and cancels", async () => {
  const [first] = await take(client.sendMessageStream(say("stream 10 20")), 3);
  if (first?.kind !== "task") expect.fail("the first event is not a task");
  const events = await collect(client.resubscribeTask({ id: first.id }));
  const parts = events.flatMap((event) =>
    event.kind === "task"
      ? (event.artifacts ?? []).flatMap((artifact) => artifact.parts)
      : event.kind === "artifact-update"
        ? event.artifact.parts
        : [],
  );
  const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
  expect(text).toBe(streamedText(10));
  expect(events.at(-1)).toMatchObject({ final: true, status: { state: "completed" } });
  const id = await begin("wait 60");
  expect(await client.cancelTask({ id })).toMatchObject({ status: { state: "canceled" } });
});

test("sets, gets, lists and deletes push configurations", async () => {
  const { id: taskId } = await send("task hello");
  const url = "https://caller.example/hook";
  const pushNotificationConfig = { id: "hook", url, authentication: { schemes: ["Bearer"] } };
  const expected = { taskId, pushNotificationConfig: { id: "hook", url } };
  const one = { id: taskId, pushNotificationConfigId: "hook" };
  const created = await client.setTaskPushNotificationConfig({ taskId, pushNotificationConfig });
  expect(created).toMatchObject(expected);
  expect(await client.getTaskPushNotificationConfig(one)).toMatchObject(expected);
  expect(await client.listTaskPushNotificationConfig({ id: taskId })).toMatchObject([expected]);
  await client.deleteTaskPushNotificationConfig(one);
  expect(await client.listTaskPushNotificationConfig({ id: taskId })).toEqual([]);
});

test("understands errors", async () => {
  await expect(client.getTask({ id: "missing" })).rejects.toThrow(TaskNotFoundError);
  const { id } = await send("task hello");
  await expect(client.cancelTask({ id })).rejects.toThrow(TaskNotCancelableError);
  // For this method the SDK passes on what it is told.
  await expect(send("more", { taskId: id })).rejects.toThrow(/takes no more messages/);
});

test("works behind the SDK's own client", async () => {
  const card = await client.getExtendedAgentCard();
  const behind = new Client(client, card);
  expect(await behind.sendMessage(say("echo hello"))).toMatchObject({ kind: "message" });
});
