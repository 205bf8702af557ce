import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { describe, expect, it } from "vitest";
import type { AgentCard, ProtocolVersion } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { RemoteAgent } from "@parley/a2a/client";
import { createGrpcTransport } from "@parley/a2a/grpc";

const cardAt = (url: string, binding: string, version: ProtocolVersion): AgentCard => ({
  name: "Odd",
  description: "Says odd things",
  version: "1",
  capabilities: { streaming: true },
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
  supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: version }],
});

interface Odd extends AsyncDisposable {
  readonly url: string;
}

/** A server that answers everything with the same. */
async function openOdd(body: string, type: string, status = 200): Promise<Odd> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "Content-Type": type });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const ways = [
  ["JSONRPC", "1.0"],
  ["HTTP+JSON", "1.0"],
  ["JSONRPC", "0.3"],
  ["HTTP+JSON", "0.3"],
  ["JSONRPC", "0.1"],
] as const;

const rpc = (result: unknown): string => JSON.stringify({ jsonrpc: "2.0", id: 1, result });

describe.each(ways)("over %s in version %s, with the text attached", (binding, version) => {
  const wrap = binding === "JSONRPC" ? rpc : JSON.stringify;
  const read = (agent: RemoteAgent): Promise<unknown> =>
    agent.service.getTask({ id: "t" }, { version });
  const stream = async (agent: RemoteAgent): Promise<unknown> => {
    const events = agent.service.subscribeToTask({ id: "t" }, { version });
    for await (const event of events) return event;
    return undefined;
  };

  it.each<[string, string, string, (agent: RemoteAgent) => Promise<unknown>]>([
    ["a web page", "<h1>Welcome</h1>", "text/html", read],
    ["JSON that is no task", wrap({ id: 5, status: "fine" }), "application/json", read],
    ["a list", "[1, 2]", "application/json", read],
    ["a stream of what is no JSON", "data: oops\n\n", "text/event-stream", stream],
    [
      "a stream of what is no event",
      `data: ${wrap({ odd: true })}\n\n`,
      "text/event-stream",
      stream,
    ],
  ])("it refuses %s", async (_, body, type, call) => {
    await using odd = await openOdd(body, type);
    const agent = await connect(cardAt(odd.url, binding, version));
    const text = body.replace(/^data: (.*)\n\n$/, "$1");
    await expect(call(agent)).rejects.toMatchObject({
      code: "INVALID_AGENT_RESPONSE",
      details: { metadata: { body: text } },
    });
  });
});

it("attaches no more than the beginning of a long text, in whole characters", async () => {
  await using odd = await openOdd(`<p>${"🦜".repeat(100_000)}`, "text/html");
  const agent = await connect(cardAt(odd.url, "JSONRPC", "1.0"));
  const error: unknown = await agent.task("t").catch((thrown: unknown) => thrown);
  const { body } = (error as { details: { metadata: { body: string } } }).details.metadata;
  expect(body.length).toBe(2000);
  expect(body.isWellFormed()).toBe(true);
});

it("names the member of a card that is none, with its text", async () => {
  const body = JSON.stringify({ name: 5 });
  await using odd = await openOdd(body, "application/json");
  await expect(connect(odd.url)).rejects.toMatchObject({
    code: "INVALID_AGENT_RESPONSE",
    message: expect.stringContaining("name"),
    details: { metadata: { body } },
  });
});

it("attaches the JSON form of what it does not understand over gRPC", async () => {
  const server = new Server();
  const same = (bytes: Buffer): Buffer => bytes;
  const method = {
    path: "/lf.a2a.v1.A2AService/GetTask",
    requestStream: false,
    responseStream: false,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
  // A task with nothing in it.
  server.addService(
    { GetTask: method },
    { GetTask: (_: unknown, done: Function) => done(null, Buffer.alloc(0)) },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  using transport = createGrpcTransport({ address: `127.0.0.1:${port}`, version: "1.0" });
  await expect(transport.getTask({ id: "t" }, { version: "1.0" })).rejects.toMatchObject({
    code: "INVALID_AGENT_RESPONSE",
    details: { metadata: { body: "{}" } },
  });
  server.forceShutdown();
});
