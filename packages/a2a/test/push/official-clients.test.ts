import { AgentCard, StreamResponse, TaskPushNotificationConfig } from "a2a-sdk-1.0";
import { ClientFactory } from "a2a-sdk-1.0/client";
import type { Client } from "a2a-sdk-1.0/client";
import { GrpcTransportFactory } from "a2a-sdk-1.0/client/grpc";
import { legacyPushNotificationToV1StreamResponse } from "a2a-sdk-1.0/compat/v0_3";
import { describe, expect, it } from "vitest";
import { openServed } from "../support/servers/open-served.js";
import { openClient, openCompatClient, say, taskOf } from "../support/clients/sdk-1.0.js";
import { verifies } from "../spec/verifies.js";
import { openReceiver } from "../support/servers/open-receiver.js";
import type { Received } from "../support/servers/open-receiver.js";

const push = { allowPrivate: ["127.0.0.0/8"], schemes: ["http"] as const };

async function openGrpcClient(url: string, version: string): Promise<Client> {
  const transport = new GrpcTransportFactory({ legacyCompat: { enabled: true } });
  const factory = new ClientFactory({ transports: [transport], preferredTransports: ["GRPC"] });
  const response = await fetch(new URL(".well-known/agent-card.json", url), {
    headers: { "A2A-Version": "1.0" },
  });
  const card = AgentCard.fromJSON(await response.json());
  const offered = card.supportedInterfaces.filter((one) => one.protocolVersion === version);
  return factory.createFromAgentCard({ ...card, supportedInterfaces: offered });
}

/** How a receiver built on the SDK reads a body: by the media type that tells the versions apart. */
function readWithSdk({ headers, body }: Received): StreamResponse {
  const json: unknown = JSON.parse(String(body));
  return headers["content-type"] === "application/a2a+json"
    ? StreamResponse.fromJSON(json)
    : legacyPushNotificationToV1StreamResponse(json);
}

/** The task and state that an event tells of. */
function toldBy(event: StreamResponse): readonly [taskId: string, state: string] {
  const { task, statusUpdate, artifactUpdate } = StreamResponse.toJSON(event) as Record<
    string,
    { readonly id?: string; readonly taskId?: string; readonly status?: { readonly state: string } }
  >;
  const told = task ?? statusUpdate ?? artifactUpdate;
  return [told?.id ?? told?.taskId ?? "", told?.status?.state ?? ""];
}

describe("a webhook that the official client registers", () => {
  it.each<readonly [string, (url: string) => Promise<Client>]>([
    ["1.0 over JSON-RPC", (url) => openClient(url, "JSONRPC")],
    ["1.0 over REST", (url) => openClient(url, "HTTP+JSON")],
    ["1.0 over gRPC", (url) => openGrpcClient(url, "1.0")],
    ["0.3 over JSON-RPC", (url) => openCompatClient(url, "JSONRPC")],
    ["0.3 over REST", (url) => openCompatClient(url, "HTTP+JSON")],
    ["0.3 over gRPC", (url) => openGrpcClient(url, "0.3")],
  ])("gets what the official receiver reads: %s", async (_, open) => {
    verifies("push:http-json", "push:post", "push:payload");
    await using server = await openServed({ push, grpc: { port: 0, inCard: true } });
    await using receiver = await openReceiver();
    const client = await open(server.url);
    const { id: taskId } = taskOf(await client.sendMessage(say("flight")));
    const config = { taskId, id: "c1", url: `${receiver.url}/hook`, token: "t" };
    await client.createTaskPushNotificationConfig(TaskPushNotificationConfig.fromJSON(config));
    for (const text of ["Tokyo", "May"]) await client.sendMessage(say(text, { taskId }));
    const told = () => receiver.received.map((one) => toldBy(readWithSdk(one)));
    await expect.poll(() => told().at(-1)?.[1]).toBe("TASK_STATE_COMPLETED");
    expect(new Set(told().map(([id]) => id))).toEqual(new Set([taskId]));
    expect(told().map(([, state]) => state)).toContain("TASK_STATE_INPUT_REQUIRED");
    for (const { headers } of receiver.received) {
      expect(headers["x-a2a-notification-token"]).toBe("t");
    }
  });
});
