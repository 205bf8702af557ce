import { AgentCard, ListTasksRequest, Message, TaskPushNotificationConfig } from "a2a-sdk-1.0";
import type { Client } from "a2a-sdk-1.0/client";
import { DefaultAgentCardResolver } from "a2a-sdk-1.0/client";
import {
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "a2a-sdk-1.0/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collect, take } from "../support/streams.js";
import { extendedName, openDemo, streamedText } from "../support/servers/open-demo.js";
import type { Demo } from "../support/servers/open-demo.js";
import {
  artifactsIn,
  eventsOf,
  openClient,
  say,
  taskOf,
  textIn,
} from "../support/clients/sdk-1.0.js";
import type { EventJson, TaskJson } from "../support/clients/sdk-1.0.js";

let demo: Demo;

beforeAll(async () => {
  demo = await openDemo();
});

afterAll(() => demo[Symbol.asyncDispose]());

test("resolves the card at its well-known path", async () => {
  const card = await new DefaultAgentCardResolver().resolve(demo.url);
  expect(card).toMatchObject({ name: "Parley demo", capabilities: { extendedAgentCard: true } });
  const at = (protocolBinding: string, protocolVersion: string): object => ({
    url: demo.url,
    protocolBinding,
    protocolVersion,
  });
  expect(card.supportedInterfaces).toEqual([
    at("JSONRPC", "1.0"),
    at("HTTP+JSON", "1.0"),
    at("JSONRPC", "0.3"),
    at("HTTP+JSON", "0.3"),
    at("JSONRPC", "0.2"),
    at("HTTP+JSON", "0.2"),
    at("JSONRPC", "0.1"),
  ]);
});

describe.each(["JSONRPC", "HTTP+JSON"])("over %s", (binding) => {
  let client: Client;

  beforeAll(async () => {
    client = await openClient(demo.url, binding);
  });

  async function send(...args: Parameters<typeof say>): Promise<TaskJson> {
    return taskOf(await client.sendMessage(say(...args)));
  }

  async function stream(...args: Parameters<typeof say>): Promise<EventJson[]> {
    return eventsOf(await collect(client.sendMessageStream(say(...args))));
  }

  async function begin(text: string, count: number): Promise<string> {
    const [first] = eventsOf(await take(client.sendMessageStream(say(text)), count));
    return first?.task?.id ?? expect.fail("the first event is not a task");
  }

  test("finds its interface in the card", () => {
    expect(client.protocolVersion).toBe("1.0");
    expect(client.transport.protocolName).toBe(binding);
  });

  test("gets the extended card that the public one announces", async () => {
    const card = await (await openClient(demo.url, binding)).getAgentCard();
    expect(AgentCard.toJSON(card)).toMatchObject({
      name: extendedName,
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "bearer" } } },
      skills: expect.arrayContaining([expect.objectContaining({ id: "flight" })]),
    });
  });

  test("gets a message where the agent answers directly", async () => {
    const result = await client.sendMessage(say("echo hello"));
    expect(Message.toJSON(result as Message)).toMatchObject({
      messageId: expect.any(String),
      contextId: expect.any(String),
      role: "ROLE_AGENT",
      parts: [{ text: "hello" }],
    });
  });

  test("gets a finished task with its artifact and history", async () => {
    const task = await send("task hello");
    expect(task).toMatchObject({
      status: { state: "TASK_STATE_COMPLETED", timestamp: expect.any(String) },
      artifacts: [{ artifactId: "result", name: "result.txt", parts: [{ text: "hello" }] }],
      history: [{ role: "ROLE_USER", taskId: task.id, contextId: task.contextId }],
    });
  });

  test("gets a file byte for byte", async () => {
    const { artifacts } = await send("file");
    const raw = Buffer.from("name,value\nanswer,42\n").toString("base64");
    expect(artifacts).toMatchObject([
      { parts: [{ raw, mediaType: "text/csv", filename: "report.csv" }] },
    ]);
  });

  test.each([
    ["fail", "TASK_STATE_FAILED"],
    ["reject", "TASK_STATE_REJECTED"],
    ["auth", "TASK_STATE_AUTH_REQUIRED"],
  ])("learns of %s by its state", async (word, state) => {
    expect((await send(word)).status).toMatchObject({ state, message: { role: "ROLE_AGENT" } });
  });

  test("gets a task at once when it does not want to wait", async () => {
    const { id, status } = await send(
      "wait 0.2",
      {},
      { configuration: { returnImmediately: true } },
    );
    expect(status.state).toBe("TASK_STATE_WORKING");
    await expect
      .poll(async () => taskOf(await client.getTask({ tenant: "", id })).status.state)
      .toBe("TASK_STATE_COMPLETED");
  });

  test("streams every event of a task, in order", async () => {
    const events = await stream("stream 5 2");
    const chunks = Array.from({ length: 5 }, () => ["artifactUpdate"]);
    expect(events.map((event) => Object.keys(event))).toEqual([
      ["task"],
      ["statusUpdate"],
      ...chunks,
      ["statusUpdate"],
    ]);
    expect(textIn(events)).toBe(streamedText(5));
    expect(events.map(({ artifactUpdate }) => artifactUpdate?.append === true)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
      true,
      false,
    ]);
    const updates = events.flatMap(({ artifactUpdate }) => artifactUpdate ?? []);
    expect(updates.map(({ lastChunk }) => lastChunk === true)).toEqual([
      ...Array.from({ length: 4 }, () => false),
      true,
    ]);
    expect(events[1]?.statusUpdate?.status.state).toBe("TASK_STATE_WORKING");
    expect(events.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("streams a direct answer as its only event", async () => {
    expect(await stream("echo hello")).toMatchObject([{ message: { parts: [{ text: "hello" }] } }]);
  });

  test("gets a task, with as much of its history as it asks for", async () => {
    const { id } = await send("task hello");
    const whole = taskOf(await client.getTask({ tenant: "", id }));
    expect(whole).toMatchObject({ id, status: { state: "TASK_STATE_COMPLETED" } });
    expect(whole.history).toHaveLength(1);
    const bare = taskOf(await client.getTask({ tenant: "", id, historyLength: 0 }));
    expect(bare).toMatchObject({ id, artifacts: [{ artifactId: "result" }] });
    expect(bare.history ?? []).toHaveLength(0);
  });

  test("lists tasks by context and state, page by page", async () => {
    const { id: first, contextId } = await send("task one");
    const { id: second } = await send("task two", { contextId });
    const { id: third } = await send("flight", { contextId });
    const list = (query: object): ReturnType<Client["listTasks"]> =>
      client.listTasks(ListTasksRequest.fromJSON({ contextId, ...query }));
    const all = await list({ includeArtifacts: true });
    expect(all.tasks.map(({ id }) => id).toSorted()).toEqual([first, second, third].toSorted());
    expect(all).toMatchObject({ totalSize: 3, nextPageToken: "" });
    const asking = await list({ status: "TASK_STATE_INPUT_REQUIRED" });
    expect(asking.tasks.map(({ id }) => id)).toEqual([third]);
    const page = await list({ pageSize: 2 });
    expect(page).toMatchObject({ pageSize: 2, totalSize: 3 });
    const rest = await list({ pageSize: 2, pageToken: page.nextPageToken });
    expect([...page.tasks, ...rest.tasks].map(({ id }) => id)).toEqual(
      all.tasks.map(({ id }) => id),
    );
  });

  test("answers the questions of a task until it is done", async () => {
    const asked = await send("flight");
    expect(asked.status).toMatchObject({
      state: "TASK_STATE_INPUT_REQUIRED",
      message: { parts: [{ text: expect.stringContaining("Where") }] },
    });
    const { id: taskId, contextId } = asked;
    const again = await send("from Zurich to Tokyo", { taskId, contextId });
    expect(again).toMatchObject({ id: taskId, status: { state: "TASK_STATE_INPUT_REQUIRED" } });
    const events = await stream("in May", { taskId });
    expect(events[0]?.task?.id).toBe(taskId);
    expect(events.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
    expect(artifactsIn(events)).toMatchObject([
      {
        artifactId: "itinerary",
        parts: [{ data: { route: "from Zurich to Tokyo", dates: "in May" } }],
      },
      { parts: [{ text: expect.stringContaining("XYZ123") }] },
    ]);
  });

  test("cancels a task at work", async () => {
    const id = await begin("wait 60", 1);
    const canceled = taskOf(await client.cancelTask({ tenant: "", id, metadata: undefined }));
    expect(canceled).toMatchObject({ id, status: { state: "TASK_STATE_CANCELED" } });
  });

  test("resubscribes to a task at work and misses nothing", async () => {
    const id = await begin("stream 10 20", 3);
    const events = eventsOf(await collect(client.resubscribeTask({ tenant: "", id })));
    expect(events[0]?.task?.status.state).toBe("TASK_STATE_WORKING");
    expect(textIn(events)).toBe(streamedText(10));
    expect(events.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("creates, gets, lists and deletes the push configurations of a task", async () => {
    const { id: taskId } = await send("task hello");
    const shown = { taskId, id: "hook", url: "https://caller.example/hook" };
    const config = TaskPushNotificationConfig.fromJSON({
      ...shown,
      token: "secret",
      authentication: { scheme: "Bearer", credentials: "secret" },
    });
    expect(await client.createTaskPushNotificationConfig(config)).toEqual(config);
    const named = { tenant: "", taskId, id: "hook" };
    const expected = { ...shown, token: "", authentication: { scheme: "Bearer", credentials: "" } };
    expect(await client.getTaskPushNotificationConfig(named)).toMatchObject(expected);
    const list = (): ReturnType<Client["listTaskPushNotificationConfig"]> =>
      client.listTaskPushNotificationConfig({ tenant: "", taskId, pageSize: 0, pageToken: "" });
    expect(await list()).toMatchObject({ configs: [expected], nextPageToken: "" });
    await client.deleteTaskPushNotificationConfig(named);
    expect(await list()).toMatchObject({ configs: [] });
    await expect(client.getTaskPushNotificationConfig(named)).rejects.toThrow(TaskNotFoundError);
  });

  test("is given an id for a push configuration that it does not name", async () => {
    const { id: taskId } = await send("task hello");
    const config = TaskPushNotificationConfig.fromJSON({ taskId, url: "https://c.example/hook" });
    const created = await client.createTaskPushNotificationConfig(config);
    expect(created.id).not.toBe("");
    const named = { tenant: "", taskId, id: created.id };
    expect(await client.getTaskPushNotificationConfig(named)).toEqual(created);
  });

  test("gets the push configuration that it sends with a message", async () => {
    const taskPushNotificationConfig = { id: "hook", url: "https://c.example/hook" };
    const configuration = { taskPushNotificationConfig };
    const { id: taskId } = await send("task hello", {}, { configuration });
    const named = { tenant: "", taskId, id: "hook" };
    const found = await client.getTaskPushNotificationConfig(named);
    expect(found).toMatchObject({ taskId, ...taskPushNotificationConfig });
  });

  test.each<[string, () => Promise<unknown>]>([
    ["get", () => client.getTask({ tenant: "", id: "unknown" })],
    ["cancel", () => client.cancelTask({ tenant: "", id: "unknown", metadata: undefined })],
    ["send", () => client.sendMessage(say("hello", { taskId: "unknown" }))],
    ["stream", () => collect(client.sendMessageStream(say("hello", { taskId: "unknown" })))],
    ["resubscribe", () => collect(client.resubscribeTask({ tenant: "", id: "unknown" }))],
  ])("is told by %s that a task is unknown", async (_, call) => {
    await expect(call()).rejects.toThrow(TaskNotFoundError);
  });

  test("is told that a finished task takes neither a message nor a cancellation nor a watcher", async () => {
    const { id } = await send("task hello");
    const cancellation = client.cancelTask({ tenant: "", id, metadata: undefined });
    await expect(cancellation).rejects.toThrow(TaskNotCancelableError);
    const message = client.sendMessage(say("more", { taskId: id }));
    await expect(message).rejects.toThrow(UnsupportedOperationError);
    const watcher = collect(client.resubscribeTask({ tenant: "", id }));
    await expect(watcher).rejects.toThrow(UnsupportedOperationError);
  });
});
