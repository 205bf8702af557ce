import { A2AClient as Client02 } from "a2a-sdk-0.2/client";
import { ClientFactory as ClientFactory03, ClientFactoryOptions } from "a2a-sdk-0.3/client";
import { ListTasksRequest, TaskPushNotificationConfig } from "a2a-sdk-1.0";
import type { Client as Client10 } from "a2a-sdk-1.0/client";
import { expect, test } from "vitest";
import { collect } from "../support/streams.js";
import { openObserved } from "../support/servers/open-observed.js";
import { openClient, openCompatClient, say, taskOf } from "../support/clients/sdk-1.0.js";

/** Makes one call of each operation that a client has. */
type CallEverything = (url: string) => Promise<void>;

const push = { id: "hook", url: "https://caller.example/hook" };

const of02: readonly string[] = [
  "sendMessage",
  "sendStreamingMessage",
  "getTask",
  "subscribeToTask",
  "cancelTask",
  "createTaskPushNotificationConfig",
  "getTaskPushNotificationConfig",
];
const of03: readonly string[] = [
  ...of02,
  "listTaskPushNotificationConfigs",
  "deleteTaskPushNotificationConfig",
  "getExtendedAgentCard",
];
const of10: readonly string[] = [...of03, "listTasks"];

function say03(text: string): Parameters<Client02["sendMessage"]>[0] {
  const parts = [{ kind: "text" as const, text }];
  return { message: { kind: "message", messageId: text, role: "user", parts } };
}

const with02: CallEverything = async (url) => {
  const client = new Client02(url);
  const sent = await client.sendMessage(say03("flight"));
  const id = "result" in sent && sent.result.kind === "task" ? sent.result.id : "";
  await collect(client.sendMessageStream(say03("echo hello")));
  await client.getTask({ id });
  await client.setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig: push });
  await client.getTaskPushNotificationConfig({ id });
  await client.cancelTask({ id });
  await collect(client.resubscribeTask({ id }));
};

const with03 = (binding: string): CallEverything => {
  const options = { ...ClientFactoryOptions.default, preferredTransports: [binding] };
  return async (url) => {
    const client = await new ClientFactory03(options).createFromUrl(`${url}/`);
    const sent = await client.sendMessage(say03("flight"));
    const id = sent.kind === "task" ? sent.id : "";
    await collect(client.sendMessageStream(say03("echo hello")));
    await client.getTask({ id });
    await client.setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig: push });
    const named = { id, pushNotificationConfigId: push.id };
    await client.getTaskPushNotificationConfig(named);
    await client.listTaskPushNotificationConfig({ id });
    await client.deleteTaskPushNotificationConfig(named);
    await client.cancelTask({ id });
    await collect(client.resubscribeTask({ id }));
    await client.getAgentCard();
  };
};

const with10 =
  (open: (url: string, binding: string) => Promise<Client10>, binding: string): CallEverything =>
  async (url) => {
    const client = await open(`${url}/`, binding);
    const tenant = "";
    const { id } = taskOf(await client.sendMessage(say("flight")));
    await collect(client.sendMessageStream(say("echo hello")));
    await client.getTask({ tenant, id });
    const config = TaskPushNotificationConfig.fromJSON({ taskId: id, ...push });
    await client.createTaskPushNotificationConfig(config);
    const named = { tenant, taskId: id, id: push.id };
    await client.getTaskPushNotificationConfig(named);
    const page = { tenant, taskId: id, pageSize: 0, pageToken: "" };
    await client.listTaskPushNotificationConfig(page);
    await client.deleteTaskPushNotificationConfig(named);
    if (client.protocolVersion === "1.0") await client.listTasks(ListTasksRequest.fromJSON({}));
    // Ended tasks are not to be watched in 1.0, so it is watched while it waits.
    for await (const _ of client.resubscribeTask({ tenant, id })) break;
    await client.cancelTask({ tenant, id, metadata: undefined });
    await client.getAgentCard();
  };

test.each<[string, string, CallEverything, readonly string[]]>([
  ["0.2.5", "0.3", with02, of02],
  ["0.3.14 over JSON-RPC", "0.3", with03("JSONRPC"), of03],
  ["0.3.14 over REST", "0.3-proto", with03("HTTP+JSON"), of03],
  ["1.3.0 over JSON-RPC", "1.0", with10(openClient, "JSONRPC"), of10],
  ["1.3.0 over REST", "1.0", with10(openClient, "HTTP+JSON"), of10],
  ["1.3.0 as 0.3 over JSON-RPC", "0.3", with10(openCompatClient, "JSONRPC"), of03],
  ["1.3.0 as 0.3 over REST", "0.3-proto", with10(openCompatClient, "HTTP+JSON"), of03],
])("each call of SDK %s is taken for %s", async (_, dialect, callEverything, operations) => {
  await using server = await openObserved("/agents/demo");
  await callEverything(server.url);
  const seen = server.calls.map((call) => `${call.operation} in ${call.dialect}`);
  const expected = operations.map((operation) => {
    // A card has no body to tell two forms by; over REST it is written for readers of both.
    const isCard = operation === "getExtendedAgentCard" && dialect === "0.3-proto";
    return `${operation} in ${isCard ? "0.3-schema" : dialect}`;
  });
  expect(seen.toSorted()).toEqual(expected.toSorted());
});

test.each(["JSONRPC", "HTTP+JSON"])(
  "SDK 1.3.0 over %s calls under the tenant that the card names",
  async (binding) => {
    await using server = await openObserved("/agents/demo", "acme");
    await with10(openClient, binding)(server.url);
    expect(server.calls.map(({ operation }) => operation).toSorted()).toEqual(of10.toSorted());
    expect(new Set(server.calls.map(({ tenant }) => tenant))).toEqual(new Set(["acme"]));
  },
);
