import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { describe, expect, it, onTestFinished } from "vitest";
import { unknownValuesUri } from "@parley/a2a";
import type { JsonObject, ProtocolVersion } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { RemoteAgent } from "@parley/a2a/client";
import { grpcTransports } from "@parley/a2a/grpc";
import { service as service03 } from "../../src/grpc/gen/a2a-v1.js";
import { service as service10 } from "../../src/grpc/gen/lf-a2a-v1.js";
import { bareCard } from "./bare-card.js";

/** A task as a later version, or a careless server, may write it. */
const odd: JsonObject = {
  id: "t1",
  contextId: "c1",
  status: { state: 42, timestamp: "2026-01-02T03:04:05.123456789Z" },
  history: [
    { messageId: "m1", role: 7, parts: [{ text: "hi" }], content: [{ text: "hi" }] },
    { messageId: "m2", parts: [{ text: "ho" }], content: [{ text: "ho" }] },
  ],
};

async function openHttpPeer(binding: string): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      response.setHeader("Content-Type", "application/json");
      const id = binding === "JSONRPC" ? (JSON.parse(body) as { id: unknown }).id : undefined;
      response.end(
        JSON.stringify(binding === "JSONRPC" ? { jsonrpc: "2.0", id, result: odd } : odd),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function openGrpcPeer(version: ProtocolVersion): Promise<string> {
  const service = version === "1.0" ? service10 : service03;
  const { GetTask } = service.methods;
  const same = (bytes: Buffer): Buffer => bytes;
  const server = new Server();
  server.addService(
    {
      GetTask: {
        path: `/${service.name}/GetTask`,
        requestStream: false,
        responseStream: false,
        requestSerialize: same,
        requestDeserialize: same,
        responseSerialize: same,
        responseDeserialize: same,
      },
    },
    {
      GetTask: (_: unknown, done: (error: null, bytes?: Buffer) => void) =>
        done(null, GetTask?.response.encode(odd)),
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  onTestFinished(() => server.forceShutdown());
  return `127.0.0.1:${port}`;
}

async function connectTo(binding: string, version: ProtocolVersion): Promise<RemoteAgent> {
  const url = await (binding === "GRPC" ? openGrpcPeer(version) : openHttpPeer(binding));
  const supportedInterfaces = [{ url, protocolBinding: binding, protocolVersion: version }];
  const agent = await connect(bareCard(url, binding, { supportedInterfaces }), {
    transports: grpcTransports(),
  });
  return agent;
}

describe.each<[string, ProtocolVersion]>([
  ["JSONRPC", "1.0"],
  ["HTTP+JSON", "1.0"],
  ["GRPC", "1.0"],
  ["JSONRPC", "0.3"],
  ["HTTP+JSON", "0.3"],
  ["GRPC", "0.3"],
  ["JSONRPC", "0.2"],
  ["JSONRPC", "0.1"],
])("over %s in version %s", (binding, version) => {
  it("a task of an unknown state, with a message of an unknown role, is received", async () => {
    const agent = await connectTo(binding, version);
    const task = await agent.service.getTask({ id: "t1" }, { version });
    expect(task.status).toEqual({
      state: "TASK_STATE_UNSPECIFIED",
      timestamp: "2026-01-02T03:04:05.123456789Z",
    });
    expect(task.metadata).toEqual({ [unknownValuesUri]: { state: 42 } });
    expect(task.history).toMatchObject([
      {
        role: "ROLE_AGENT",
        parts: [{ text: "hi" }],
        metadata: { [unknownValuesUri]: { role: 7 } },
      },
      { role: "ROLE_AGENT", parts: [{ text: "ho" }] },
    ]);
  });
});
