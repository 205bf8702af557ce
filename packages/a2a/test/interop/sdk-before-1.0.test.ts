import { A2AClient } from "a2a-sdk-0.2/client";
import {
  Client,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "a2a-sdk-0.3/client";
import type { GrpcTransport } from "a2a-sdk-0.3/client/grpc";
import type { Message, Task } from "a2a-sdk-0.3";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Server } from "@parley/a2a/node";
import {
  AnsweredError,
  artifactsIn,
  openClient02,
  openClient03,
  openGrpcTransport03,
  say,
  sendForTask,
  textIn,
} from "../support/clients/sdk-before-1.0.js";
import type { EarlierClient } from "../support/clients/sdk-before-1.0.js";
import { extendedName, streamedText } from "../support/servers/open-demo.js";
import { openServed } from "../support/servers/open-served.js";
import { collect, take } from "../support/streams.js";

let serving: Server;

beforeAll(async () => {
  serving = await openServed();
});

afterAll(() => serving.close());

interface Sdk {
  readonly name: string;
  readonly open: () => EarlierClient | Promise<EarlierClient>;
  /** How the client throws that a task is unknown, and that it cannot be canceled. */
  readonly unknown: unknown;
  readonly notCancelable: unknown;
  /** The same of a stream, from what it throws. */
  readonly expectUnknown: (thrown: unknown) => void;
}

const thrown03 = { unknown: TaskNotFoundError, notCancelable: TaskNotCancelableError };
const expectNotFound = (error: unknown): void => expect(error).toBeInstanceOf(TaskNotFoundError);

const sdks: readonly Sdk[] = [
  {
    name: "SDK 0.2 over JSONRPC",
    open: () => openClient02(serving.url),
    unknown: new AnsweredError(-32001),
    notCancelable: new AnsweredError(-32002),
    expectUnknown: (error) => expect(String(error)).toContain("Code: -32001"),
  },
  {
    name: "SDK 0.3 over JSONRPC",
    open: () => openClient03(serving.url, "JSONRPC"),
    ...thrown03,
    // Over JSON-RPC this SDK wraps what a stream says.
    expectUnknown: (error) => expectNotFound((error as Error).cause),
  },
  {
    name: "SDK 0.3 over HTTP+JSON",
    open: () => openClient03(serving.url, "HTTP+JSON"),
    ...thrown03,
    expectUnknown: expectNotFound,
  },
  {
    name: "SDK 0.3 over GRPC",
    open: () => openGrpcTransport03(serving),
    ...thrown03,
    expectUnknown: expectNotFound,
  },
];

describe.each(sdks.map((sdk) => [sdk.name, sdk] as const))("%s", (name, sdk) => {
  const { open, unknown, notCancelable, expectUnknown } = sdk;
  let client: EarlierClient;

  beforeAll(async () => {
    client = await open();
  });

  const send = (text: string, of?: Partial<Message>): Promise<Task> =>
    sendForTask(client, text, of);

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
      kind: "task",
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
    const task = await client.sendMessage(say("wait 0.2", {}, { blocking: false }));
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
    expect(textIn(events)).toBe(streamedText(5));
    expect(events[1]).toMatchObject({ status: { state: "working" }, final: false });
    expect(events.at(-1)).toMatchObject({ status: { state: "completed" }, final: true });
  });

  test("streams a direct answer as its only event", async () => {
    const events = await collect(client.sendMessageStream(say("echo hello")));
    expect(events).toMatchObject([{ kind: "message", parts: [{ text: "hello" }] }]);
  });

  test("gets a task, with as much of its history as it asks for", async () => {
    const { id, artifacts } = await send("task hello");
    const whole = await client.getTask({ id });
    expect(whole).toMatchObject({ kind: "task", id, status: { state: "completed" }, artifacts });
    expect(whole.history).toHaveLength(1);
    // The service of 0.3 cannot tell a history of none from one that is not limited.
    if (name === "SDK 0.3 over GRPC") return;
    const bare = await client.getTask({ id, historyLength: 0 });
    expect(bare).toMatchObject({ id, artifacts: [{ artifactId: "result" }] });
    expect(bare.history ?? []).toHaveLength(0);
  });

  /** What the agent has found once both of its questions are answered. */
  const itinerary = [
    {
      artifactId: "itinerary",
      parts: [{ kind: "data", data: { route: "from Zurich to Tokyo", dates: "in May" } }],
    },
    { parts: [{ kind: "text", text: expect.stringContaining("XYZ123") as string }] },
  ];

  async function answerFirst(): Promise<string> {
    const asked = await send("flight");
    expect(asked.status).toMatchObject({
      state: "input-required",
      message: {
        role: "agent",
        parts: [{ kind: "text", text: expect.stringContaining("Where") as string }],
      },
    });
    const { id: taskId, contextId } = asked;
    const again = await send("from Zurich to Tokyo", { taskId, contextId });
    expect(again).toMatchObject({ id: taskId, contextId, status: { state: "input-required" } });
    return taskId;
  }

  test("answers the questions of a task until it is done", async () => {
    const taskId = await answerFirst();
    const done = await send("in May", { taskId });
    expect(done).toMatchObject({
      id: taskId,
      status: { state: "completed" },
      artifacts: itinerary,
    });
  });

  test("answers the last question of a task with a stream", async () => {
    const taskId = await answerFirst();
    const events = await collect(client.sendMessageStream(say("in May", { taskId })));
    expect(events[0]).toMatchObject({ kind: "task", id: taskId });
    expect(events.at(-1)).toMatchObject({ status: { state: "completed" }, final: true });
    expect(artifactsIn(events)).toMatchObject(itinerary);
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
    expect(textIn(events)).toBe(streamedText(10));
    expect(events.at(-1)).toMatchObject({ status: { state: "completed" }, final: true });
  });

  test("resubscribes to a finished task and gets it as the only event", async () => {
    const { id } = await send("task hello");
    const events = await collect(client.resubscribeTask({ id }));
    expect(events).toMatchObject([{ kind: "task", id, status: { state: "completed" } }]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["get", () => client.getTask({ id: "unknown" })],
    ["cancel", () => client.cancelTask({ id: "unknown" })],
    ["send", () => client.sendMessage(say("hello", { taskId: "unknown" }))],
  ])("is told by %s that a task is unknown", async (_, call) => {
    await expect(call()).rejects.toThrow(unknown as Error);
  });

  test.each([
    ["resubscribe", () => client.resubscribeTask({ id: "unknown" })],
    ["stream", () => client.sendMessageStream(say("hello", { taskId: "unknown" }))],
  ])("is told by a stream (%s) that a task is unknown", async (_, begin) => {
    const quiet = vi.spyOn(console, "error").mockReturnValue();
    expectUnknown(await collect(begin()).catch((thrown: unknown) => thrown));
    quiet.mockRestore();
  });

  test("is told that a finished task cannot be canceled", async () => {
    const { id } = await send("task hello");
    await expect(client.cancelTask({ id })).rejects.toThrow(notCancelable as Error);
  });
});

describe("SDK 0.2", () => {
  let client: A2AClient;

  beforeAll(() => {
    client = new A2AClient(serving.url);
  });

  test("reads the card at /.well-known/agent.json and calls the URL in it", async () => {
    const card = await client.getAgentCard();
    expect(card).toMatchObject({
      name: "Parley demo",
      url: serving.url,
      protocolVersion: "0.3.0",
      preferredTransport: "JSONRPC",
      capabilities: { streaming: true, pushNotifications: true },
      supportsAuthenticatedExtendedCard: true,
    });
  });

  test("reads a card at the path of 0.3 too", async () => {
    const card = await client.getAgentCard(serving.url, ".well-known/agent-card.json");
    expect(card).toMatchObject({ name: "Parley demo", url: serving.url });
  });

  test("sets and gets the push configuration of a task", async () => {
    const { id } = await sendForTask(openClient02(serving.url), "task hello");
    const pushNotificationConfig = {
      url: "https://caller.example/hook",
      token: "secret",
      authentication: { schemes: ["Bearer"], credentials: "secret" },
    };
    const set = await client.setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig });
    expect(set).toMatchObject({ result: { taskId: id, pushNotificationConfig } });
    const got = await client.getTaskPushNotificationConfig({ id });
    expect(got).toMatchObject({
      result: {
        taskId: id,
        pushNotificationConfig: {
          url: "https://caller.example/hook",
          authentication: { schemes: ["Bearer"] },
        },
      },
    });
    expect(JSON.stringify(got)).not.toContain("secret");
  });

  test("is told by get push that a task is unknown", async () => {
    const answer = await client.getTaskPushNotificationConfig({ id: "unknown" });
    expect(answer).toMatchObject({ error: { code: -32001 } });
  });
});

describe.each(["JSONRPC", "HTTP+JSON"])("SDK 0.3 finds over %s", (binding) => {
  test("its transport in the card", async () => {
    const client = await openClient03(serving.url, binding);
    const expected = binding === "JSONRPC" ? "JsonRpcTransport" : "RestTransport";
    expect(client.transport.constructor.name).toMatch(expected);
  });

  test("the extended card that the public one announces", async () => {
    const card = await (await openClient03(serving.url, binding)).getAgentCard();
    expect(card).toMatchObject({
      name: extendedName,
      url: serving.url,
      protocolVersion: "0.3.0",
      preferredTransport: "JSONRPC",
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      skills: expect.arrayContaining([expect.objectContaining({ id: "flight" })]),
    });
  });
});

type PushClient = EarlierClient &
  Pick<
    GrpcTransport,
    | "setTaskPushNotificationConfig"
    | "getTaskPushNotificationConfig"
    | "listTaskPushNotificationConfig"
    | "deleteTaskPushNotificationConfig"
  >;

describe.each<[string, () => PushClient | Promise<PushClient>]>([
  ["JSONRPC", () => openClient03(serving.url, "JSONRPC")],
  ["HTTP+JSON", () => openClient03(serving.url, "HTTP+JSON")],
  ["GRPC", () => openGrpcTransport03(serving)],
])("SDK 0.3, with more over %s", (binding, open) => {
  let client: PushClient;

  beforeAll(async () => {
    client = await open();
  });

  test("sets, gets, lists and deletes the push configurations of a task", async () => {
    const { id } = await sendForTask(client, "task hello");
    // The service of 0.3 has no field for the token of a webhook.
    const token = binding === "GRPC" ? {} : { token: "secret" };
    const shown = { id: "hook", url: "https://caller.example/hook" };
    const authentication = { schemes: ["Bearer"], credentials: "secret" };
    const pushNotificationConfig = { ...shown, ...token, authentication };
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
    const task = await client.sendMessage(say("task hello", {}, { pushNotificationConfig }));
    const listed = await client.listTaskPushNotificationConfig({ id: (task as Task).id });
    expect(listed).toMatchObject([{ pushNotificationConfig }]);
  });

  test("is told by list push that a task is unknown", async () => {
    const listed = client.listTaskPushNotificationConfig({ id: "unknown" });
    await expect(listed).rejects.toThrow(TaskNotFoundError);
  });

  test("is told that a finished task takes neither a cancellation nor a message", async () => {
    const { id: taskId } = await sendForTask(client, "task hello");
    await expect(client.cancelTask({ id: taskId })).rejects.toThrow(TaskNotCancelableError);
    const more = expect(client.sendMessage(say("more", { taskId }))).rejects;
    // Over gRPC the SDK passes on what it is told of this.
    if (binding === "GRPC") await more.toThrow(/takes no more messages/);
    else await more.toThrow(UnsupportedOperationError);
  });
});

describe("SDK 0.3, its transport for gRPC", () => {
  test("gets the extended card", async () => {
    expect(await openGrpcTransport03(serving).getExtendedAgentCard()).toMatchObject({
      name: extendedName,
      protocolVersion: "0.3.0",
      preferredTransport: "JSONRPC",
      skills: expect.arrayContaining([expect.objectContaining({ id: "flight" })]),
    });
  });

  test("works behind the SDK's own client", async () => {
    const transport = openGrpcTransport03(serving);
    const behind = new Client(transport, await transport.getExtendedAgentCard());
    expect(await behind.sendMessage(say("echo hello"))).toMatchObject({ kind: "message" });
  });
});
