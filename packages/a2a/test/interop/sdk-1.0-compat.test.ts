import type { Server } from "@parley/a2a/node";
import { AgentCard, ListTasksRequest, TaskPushNotificationConfig } from "a2a-sdk-1.0";
import type { Client } from "a2a-sdk-1.0/client";
import {
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "a2a-sdk-1.0/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsOf, say, taskOf, textIn } from "../support/clients/sdk-1.0.js";
import { fetchCard, openCompatClient, openGrpcClient } from "../support/clients/sdk-1.0.js";
import type { TaskJson } from "../support/clients/sdk-1.0.js";
import { extendedName, streamedText } from "../support/servers/open-demo.js";
import { addressOf, openServed } from "../support/servers/open-served.js";
import { collect, take } from "../support/streams.js";

let serving: Server;

beforeAll(async () => {
  serving = await openServed({ grpc: { port: 0, inCard: true } });
});

afterAll(() => serving.close());

describe.each([
  ["0.3", "JSONRPC"],
  ["0.3", "HTTP+JSON"],
  ["0.3", "GRPC"],
  ["1.0", "GRPC"],
])("a 1.0 client that speaks %s over %s", (version, binding) => {
  let client: Client;

  beforeAll(async () => {
    client = await openClient();
  });

  function openClient(): Promise<Client> {
    return binding === "GRPC"
      ? openGrpcClient(serving.url, version)
      : openCompatClient(serving.url, binding);
  }

  async function send(...args: Parameters<typeof say>): Promise<TaskJson> {
    return taskOf(await client.sendMessage(say(...args)));
  }

  test(`takes the agent for one of ${version}`, () => {
    expect(client.protocolVersion).toBe(version);
    if (binding === "GRPC") expect(client.transport.protocolName).toBe("GRPC");
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

  test("sends and gets a message, a task and a question", async () => {
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

  test("streams, resubscribes and cancels", async () => {
    const stream = client.sendMessageStream(say("stream 10 20"));
    const [first] = eventsOf(await take(stream, 3));
    const id = first?.task?.id ?? expect.fail("the first event is not a task");
    const events = eventsOf(await collect(client.resubscribeTask({ tenant: "", id })));
    expect(textIn(events)).toBe(streamedText(10));
    expect(events.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
    const whole = eventsOf(await collect(client.sendMessageStream(say("stream 3 2"))));
    expect(textIn(whole)).toBe(streamedText(3));
    const cancelable = await send("wait 60", {}, { configuration: { returnImmediately: true } });
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
    const url = "https://caller.example/hook";
    const config = TaskPushNotificationConfig.fromJSON({ taskId, id: "hook", url, token: "known" });
    // The answer to a registration has the token, except over gRPC; nobody reads it back.
    const created = binding === "GRPC" ? { taskId, id: "hook", url } : config;
    const expected = { taskId, id: "hook", url, token: "" };
    const named = { tenant: "", taskId, id: "hook" };
    const all = { tenant: "", taskId, pageSize: 0, pageToken: "" };
    expect(await client.createTaskPushNotificationConfig(config)).toMatchObject(created);
    expect(await client.getTaskPushNotificationConfig(named)).toMatchObject(expected);
    const { configs } = await client.listTaskPushNotificationConfig(all);
    expect(configs).toMatchObject([expected]);
    await client.deleteTaskPushNotificationConfig(named);
    expect((await client.listTaskPushNotificationConfig(all)).configs).toEqual([]);
  });

  test("is told what is wrong", async () => {
    await expect(client.getTask({ tenant: "", id: "unknown" })).rejects.toThrow(TaskNotFoundError);
    const { id } = await send("task hello");
    const cancellation = client.cancelTask({ tenant: "", id, metadata: undefined });
    await expect(cancellation).rejects.toThrow(TaskNotCancelableError);
    await expect(send("more", { taskId: id })).rejects.toThrow(UnsupportedOperationError);
  });
});

test("the card lists every version at the server's address", async () => {
  const { supportedInterfaces } = await fetchCard(serving.url);
  const grpc = supportedInterfaces.filter((one) => one.protocolBinding === "GRPC");
  expect(grpc).toMatchObject([
    { url: addressOf(serving), protocolVersion: "1.0" },
    { url: addressOf(serving), protocolVersion: "0.3" },
    { url: addressOf(serving), protocolVersion: "0.2" },
  ]);
});
