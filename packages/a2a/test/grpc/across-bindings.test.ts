import type { Server } from "@parley/a2a/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGrpcTransport } from "../../src/grpc/index.js";
import type { GrpcTransport } from "../../src/grpc/index.js";
import type { GrpcVersion } from "../../src/wire/internal.js";
import { addressOf, openServed } from "../support/servers/open-served.js";

let serving: Server;
const transports: GrpcTransport[] = [];

beforeAll(async () => {
  serving = await openServed();
});

afterAll(async () => {
  for (const transport of transports) transport.close();
  await serving.close();
});

function grpc(version: GrpcVersion): GrpcTransport {
  const transport = createGrpcTransport({ address: addressOf(serving), version });
  transports.push(transport);
  return transport;
}

function say(text: string): Parameters<GrpcTransport["sendMessage"]>[0] {
  return { message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] } };
}

async function rpc(method: string, params: object): Promise<Record<string, unknown>> {
  const response = await fetch(serving.url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as Record<string, Record<string, unknown>>;
  expect(error).toBeUndefined();
  return result ?? {};
}

async function rest(path: string): Promise<unknown> {
  const response = await fetch(`${serving.url}${path}`);
  expect(response.status).toBe(200);
  return response.json();
}

test.each(["1.0", "0.3"] as const)(
  "a task created over gRPC %s is read over REST in 0.3 and JSON-RPC in 0.1",
  async (version) => {
    const { task } = await grpc(version).sendMessage(say("task hello"), { version });
    const id = task?.id ?? "";
    expect(await rest(`/v1/tasks/${id}`)).toMatchObject({
      id,
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ parts: [{ text: "hello" }] }],
    });
    const response = await fetch(serving.url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "A2A-Version": "0.1" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id } }),
    });
    expect(await response.json()).toMatchObject({
      result: {
        id,
        sessionId: task?.contextId,
        status: { state: "completed" },
        artifacts: [{ index: 0, parts: [{ type: "text", text: "hello" }] }],
      },
    });
  },
);

test.each(["1.0", "0.3"] as const)(
  "a task created over JSON-RPC in 0.1 is read over gRPC %s",
  async (version) => {
    const id = crypto.randomUUID();
    const message = { role: "user", parts: [{ type: "text", text: "task hello" }] };
    await rpc("tasks/send", { id, message });
    expect(await grpc(version).getTask({ id }, { version })).toMatchObject({
      id,
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ parts: [{ text: "hello" }] }],
    });
  },
);

test("a task created over REST in 0.3 is canceled over gRPC, and every version spells it its way", async () => {
  const response = await fetch(`${serving.url}/v1/message:send`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      message: { messageId: "m1", role: "ROLE_USER", content: [{ text: "wait 60" }] },
      configuration: { blocking: false },
    }),
  });
  const { task } = (await response.json()) as { task: { id: string } };
  const canceled = await grpc("0.3").cancelTask({ id: task.id }, { version: "0.3" });
  expect(canceled.status.state).toBe("TASK_STATE_CANCELED");
  const read = await grpc("1.0").getTask({ id: task.id }, { version: "1.0" });
  expect(read.status.state).toBe("TASK_STATE_CANCELED");
  expect(await rest(`/v1/tasks/${task.id}`)).toMatchObject({
    status: { state: "TASK_STATE_CANCELLED" },
  });
  expect(await rpc("tasks/get", { id: task.id })).toMatchObject({ status: { state: "canceled" } });
});
