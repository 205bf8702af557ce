import { AgentCard, TaskPushNotificationConfig } from "a2a-sdk-1.0";
import type { Client } from "a2a-sdk-1.0/client";
import { TaskNotCancelableError, TaskNotFoundError } from "a2a-sdk-1.0/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collect, take } from "../support/streams.js";
import { extendedName, openDemo, streamedText } from "../support/servers/open-demo.js";
import type { Demo } from "../support/servers/open-demo.js";
import { eventsOf, openCompatClient, say, taskOf, textIn } from "../support/clients/sdk-1.0.js";
import type { TaskJson } from "../support/clients/sdk-1.0.js";

let demo: Demo;

beforeAll(async () => {
  demo = await openDemo();
});

afterAll(() => demo[Symbol.asyncDispose]());

describe.each(["JSONRPC", "HTTP+JSON"])("a 1.0 client that speaks 0.3 over %s", (binding) => {
  let client: Client;

  beforeAll(async () => {
    client = await openCompatClient(demo.url, binding);
  });

  async function send(...args: Parameters<typeof say>): Promise<TaskJson> {
    return taskOf(await client.sendMessage(say(...args)));
  }

  test("takes the agent for one of 0.3", () => {
    expect(client.protocolVersion).toBe("0.3");
    expect(client.transport.constructor.name).toMatch(/Legacy/);
  });

  test("gets the extended card", async () => {
    const card = await (await openCompatClient(demo.url, binding)).getAgentCard();
    expect(AgentCard.toJSON(card)).toMatchObject({
      name: extendedName,
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "bearer" } } },
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

  test("creates, gets, lists and deletes push configurations", async () => {
    const { id: taskId } = await send("task hello");
    const config = TaskPushNotificationConfig.fromJSON({
      taskId,
      id: "hook",
      url: "https://caller.example/hook",
      token: "known",
    });
    expect(await client.createTaskPushNotificationConfig(config)).toMatchObject(config);
    const named = { tenant: "", taskId, id: "hook" };
    expect(await client.getTaskPushNotificationConfig(named)).toMatchObject(config);
    const list = (): ReturnType<Client["listTaskPushNotificationConfig"]> =>
      client.listTaskPushNotificationConfig({ tenant: "", taskId, pageSize: 0, pageToken: "" });
    expect((await list()).configs).toMatchObject([config]);
    await client.deleteTaskPushNotificationConfig(named);
    expect((await list()).configs).toEqual([]);
  });

  test("is told what is wrong", async () => {
    await expect(client.getTask({ tenant: "", id: "unknown" })).rejects.toThrow(TaskNotFoundError);
    const { id } = await send("task hello");
    const cancellation = client.cancelTask({ tenant: "", id, metadata: undefined });
    await expect(cancellation).rejects.toThrow(TaskNotCancelableError);
  });
});
