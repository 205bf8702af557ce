import type { Serving } from "@parley/a2a/node";
import { AgentCard, ListTasksRequest, TaskPushNotificationConfig } from "a2a-sdk-1.0";
import { ClientFactory } from "a2a-sdk-1.0/client";
import type { Client } from "a2a-sdk-1.0/client";
import { GrpcTransportFactory } from "a2a-sdk-1.0/client/grpc";
import {
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "a2a-sdk-1.0/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collect, take } from "../support/streams.js";
import { extendedName, streamedText } from "../support/servers/open-demo.js";
import { eventsOf, say, taskOf, textIn } from "../support/clients/sdk-1.0.js";
import type { TaskJson } from "../support/clients/sdk-1.0.js";
import { addressOf, openServed } from "../support/servers/open-served.js";

let serving: Serving;

beforeAll(async () => {
  serving = await openServed();
});

afterAll(() => serving.close());

describe.each(["1.0", "0.3"])("the SDK's client of 1.0, speaking %s over gRPC", (version) => {
  let client: Client;

  beforeAll(async () => {
    client = await openClient();
  });

  async function openClient(): Promise<Client> {
    const transport = new GrpcTransportFactory({ legacyCompat: { enabled: true } });
    const factory = new ClientFactory({ transports: [transport], preferredTransports: ["GRPC"] });
    const response = await fetch(new URL(".well-known/agent-card.json", serving.url), {
      headers: { "A2A-Version": "1.0" },
    });
    const card = AgentCard.fromJSON(await response.json());
    const { supportedInterfaces } = card;
    const offered = supportedInterfaces.filter((one) => one.protocolVersion === version);
    return factory.createFromAgentCard({ ...card, supportedInterfaces: offered });
  }

  async function send(...args: Parameters<typeof say>): Promise<TaskJson> {
    return taskOf(await client.sendMessage(say(...args)));
  }

  const later = { configuration: { returnImmediately: true } };

  test("finds its interface in the card", () => {
    expect(client.protocolVersion).toBe(version);
    expect(client.transport.protocolName).toBe("GRPC");
    expect(client.transport.constructor.name.includes("Legacy")).toBe(version === "0.3");
  });

  test("gets the extended card", async () => {
    const card = await (await openClient()).getAgentCard();
    expect(AgentCard.toJSON(card)).toMatchObject({
      name: extendedName,
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "bearer" } } },
      skills: expect.arrayContaining([expect.objectContaining({ id: "flight" })]),
    });
  });

  test("sends, and gets a message, a task and a question", async () => {
    expect(await client.sendMessage(say("echo hello"))).toMatchObject({
      parts: [{ content: { value: "hello" } }],
    });
    const { id } = await send("task hello");
    expect(taskOf(await client.getTask({ tenant: "", id }))).toMatchObject({
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ parts: [{ text: "hello" }] }],
    });
    const { id: taskId, status } = await send("flight");
    expect(status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    await send("from Zurich to Tokyo", { taskId });
    const done = await send("in May", { taskId });
    expect(done.status.state).toBe("TASK_STATE_COMPLETED");
    expect(done.artifacts?.[0]?.parts).toMatchObject([{ data: { dates: "in May" } }]);
  });

  test("streams, subscribes and cancels", async () => {
    const stream = client.sendMessageStream(say("stream 10 20"));
    const [first] = eventsOf(await take(stream, 3));
    const id = first?.task?.id ?? expect.fail("the first event is not a task");
    const events = eventsOf(await collect(client.resubscribeTask({ tenant: "", id })));
    expect(textIn(events)).toBe(streamedText(10));
    expect(events.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
    const cancelable = await send("wait 60", {}, later);
    const request = { tenant: "", id: cancelable.id, metadata: undefined };
    expect(taskOf(await client.cancelTask(request)).status.state).toBe("TASK_STATE_CANCELED");
  });

  test.skipIf(version === "0.3")("lists tasks", async () => {
    const { id } = await send("task hello");
    const request = ListTasksRequest.fromJSON({ pageSize: 1, includeArtifacts: true });
    const page = await client.listTasks(request);
    expect(page).toMatchObject({ pageSize: 1, tasks: [{ id, artifacts: [{}] }] });
    expect(page.nextPageToken).not.toBe("");
  });

  test("creates, gets, lists and deletes push configurations", async () => {
    const { id: taskId } = await send("task hello");
    const config = TaskPushNotificationConfig.fromJSON({
      taskId,
      id: "hook",
      url: "https://caller.example/hook",
      token: "known",
    });
    const expected = { taskId, id: "hook", url: "https://caller.example/hook" };
    const one = { tenant: "", taskId, id: "hook" };
    const all = { tenant: "", taskId, pageSize: 0, pageToken: "" };
    expect(await client.createTaskPushNotificationConfig(config)).toMatchObject(expected);
    expect(await client.getTaskPushNotificationConfig(one)).toMatchObject(expected);
    const { configs } = await client.listTaskPushNotificationConfig(all);
    expect(configs).toMatchObject([expected]);
    await client.deleteTaskPushNotificationConfig(one);
    expect((await client.listTaskPushNotificationConfig(all)).configs).toEqual([]);
  });

  test("understands errors", async () => {
    const missing = client.getTask({ tenant: "", id: "missing" });
    await expect(missing).rejects.toThrow(TaskNotFoundError);
    const { id } = await send("task hello");
    const canceling = client.cancelTask({ tenant: "", id, metadata: undefined });
    await expect(canceling).rejects.toThrow(TaskNotCancelableError);
    await expect(send("more", { taskId: id })).rejects.toThrow(UnsupportedOperationError);
  });
});

test("the card lists every version at the server's address", async () => {
  const response = await fetch(new URL(".well-known/agent-card.json", serving.url), {
    headers: { "A2A-Version": "1.0" },
  });
  const { supportedInterfaces } = AgentCard.fromJSON(await response.json());
  const grpc = supportedInterfaces.filter((one) => one.protocolBinding === "GRPC");
  expect(grpc).toMatchObject([
    { url: addressOf(serving), protocolVersion: "1.0" },
    { url: addressOf(serving), protocolVersion: "0.3" },
    { url: addressOf(serving), protocolVersion: "0.2" },
  ]);
});
