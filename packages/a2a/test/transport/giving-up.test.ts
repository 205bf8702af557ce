import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createGrpcTransport, openGrpcServer } from "../../src/grpc/index.js";
import { createJsonRpcTransport, createRestTransport } from "../../src/http/index.js";
import type { Fetch } from "../../src/http/internal.js";
import { createNodeListener } from "../../src/node/index.js";
import { A2AError } from "../../src/protocol/internal.js";
import type {
  AgentService,
  CallContext,
  MountableAgent,
  SendMessageRequest,
} from "../../src/protocol/internal.js";

const reason = new Error("enough");
const error = { code: "UNAVAILABLE", message: "the caller gave up the call", cause: reason };

const request: SendMessageRequest = {
  message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] },
};
const task = { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } } as const;

/** An agent that answers nothing, and whose streams fall silent after the task. */
const agent = {
  service: {
    sendMessage: (_: unknown, call: CallContext) => untilLeft(call),
    async *sendStreamingMessage(_: unknown, call: CallContext) {
      yield { response: { task } };
      await untilLeft(call);
    },
  } as Partial<AgentService> as AgentService,
  card: (supportedInterfaces) => ({
    name: "Silent",
    description: "Silent",
    version: "1",
    supportedInterfaces,
    capabilities: { streaming: true },
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
  }),
} satisfies MountableAgent;

function untilLeft({ signal }: CallContext): Promise<never> {
  const left = new A2AError("UNAVAILABLE", "the caller left");
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(left);
    signal?.addEventListener("abort", () => reject(left));
  });
}

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function overGrpc(): Promise<AgentService> {
  const server = await openGrpcServer(agent, { port: 0, drainMs: 100 });
  const transport = createGrpcTransport({ address: `127.0.0.1:${server.port}`, version: "1.0" });
  closing.push(
    () => transport.close(),
    () => server.close(),
  );
  return transport;
}

function overHttp(createTransport: typeof createJsonRpcTransport): () => Promise<AgentService> {
  return async () => {
    const server = createServer(createNodeListener(agent));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    const { port } = server.address() as AddressInfo;
    return createTransport({ url: `http://127.0.0.1:${port}`, dialect: "1.0" });
  };
}

describe.each([
  { name: "JSON-RPC", connect: overHttp(createJsonRpcTransport) },
  { name: "REST", connect: overHttp(createRestTransport) },
  { name: "gRPC", connect: overGrpc },
])("a caller that gives up a call over $name", ({ connect }) => {
  it("is told so before the call is sent", async () => {
    const service = await connect();
    const call: CallContext = { version: "1.0", signal: AbortSignal.abort(reason) };
    await expect(service.sendMessage(request, call)).rejects.toMatchObject(error);
    const events = service.sendStreamingMessage(request, call)[Symbol.asyncIterator]();
    await expect(events.next()).rejects.toMatchObject(error);
  });

  it("is told so while it waits for the answer", async () => {
    const service = await connect();
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    const answer = service.sendMessage(request, { version: "1.0", signal: controller.signal });
    await expect(answer).rejects.toMatchObject(error);
  });

  it("is told so while it watches a stream", async () => {
    const service = await connect();
    const controller = new AbortController();
    const call: CallContext = { version: "1.0", signal: controller.signal };
    const events = service.sendStreamingMessage(request, call)[Symbol.asyncIterator]();
    await expect(events.next()).resolves.toMatchObject({ value: { response: { task } } });
    const next = events.next();
    controller.abort(reason);
    await expect(next).rejects.toMatchObject(error);
  });
});

it.each([
  { name: "JSON-RPC", createTransport: createJsonRpcTransport },
  { name: "REST", createTransport: createRestTransport },
])("a caller that gives up while the answer arrives over $name is told so", async (one) => {
  const controller = new AbortController();
  const fetch: Fetch = async (_, { signal }) => {
    const body = new ReadableStream({
      start: (stream) => signal?.addEventListener("abort", () => stream.error(signal.reason)),
    });
    setTimeout(() => controller.abort(reason), 10);
    return new Response(body, { headers: { "Content-Type": "application/json" } });
  };
  const service = one.createTransport({ url: "http://agent.example", dialect: "1.0", fetch });
  const answer = service.sendMessage(request, { version: "1.0", signal: controller.signal });
  await expect(answer).rejects.toMatchObject(error);
});
