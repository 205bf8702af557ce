import { Server, ServerCredentials } from "@grpc/grpc-js";
import type {
  handleServerStreamingCall,
  handleUnaryCall,
  Metadata,
  MethodDefinition,
} from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { createGrpcTransport, openGrpcServer } from "../../src/grpc/index.js";
import type { GrpcTransport, GrpcTransportOptions } from "../../src/grpc/index.js";
import { service } from "../../src/grpc/gen/lf-a2a-v1.js";
import type { MethodType } from "../../src/grpc/wire-format.js";
import type { AgentService, CallContext, JsonObject } from "../../src/protocol/internal.js";
import { agent } from "../../src/server/index.js";

interface Asked {
  readonly request: JsonObject;
  readonly metadata: Metadata;
}

const same = (bytes: Buffer): Buffer => bytes;

function definition(name: string, responseStream: boolean): MethodDefinition<Buffer, Buffer> {
  return {
    path: `/${service.name}/${name}`,
    requestStream: false,
    responseStream,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
}

/** A peer that answers GetTask with a task and SubscribeToTask with the events given, and notes what it is asked. */
async function openPeer(
  events: readonly JsonObject[],
  options: Partial<GrpcTransportOptions> = {},
): Promise<{ readonly transport: GrpcTransport; readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  const server = new Server();
  const methodOf = (name: string): MethodType => service.methods[name] as MethodType;
  const note = (name: string, { request, metadata }: { request: Buffer; metadata: Metadata }) =>
    asked.push({ request: methodOf(name).request.decode(request) as JsonObject, metadata });
  const getTask: handleUnaryCall<Buffer, Buffer> = (call, done) => {
    note("GetTask", call);
    const task = { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } };
    done(null, methodOf("GetTask").response.encode(task));
  };
  const subscribe: handleServerStreamingCall<Buffer, Buffer> = (call) => {
    note("SubscribeToTask", call);
    for (const event of events) call.write(methodOf("SubscribeToTask").response.encode(event));
    call.end();
  };
  server.addService(
    { GetTask: definition("GetTask", false), SubscribeToTask: definition("SubscribeToTask", true) },
    { GetTask: getTask, SubscribeToTask: subscribe },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const transport = createGrpcTransport({
    address: `127.0.0.1:${port}`,
    version: "1.0",
    ...options,
  });
  onTestFinished(() => {
    transport.close();
    server.forceShutdown();
  });
  return { transport, asked };
}

const call: CallContext = { version: "1.0" };
const status = { state: "TASK_STATE_WORKING" };

test("ids that an update has told complete the updates after it", async () => {
  const { transport } = await openPeer([
    { statusUpdate: { taskId: "t", contextId: "c", status } },
    { statusUpdate: { status } },
  ]);
  const ids: unknown[] = [];
  for await (const { response } of transport.subscribeToTask({ id: "t" }, call)) {
    ids.push([response.statusUpdate?.taskId, response.statusUpdate?.contextId]);
  }
  expect(ids).toEqual([
    ["t", "c"],
    ["t", "c"],
  ]);
});

test.each([
  [{}, { id: "t" }, undefined],
  [{ tenant: "acme" }, { id: "t" }, "acme"],
  [{ tenant: "acme" }, { id: "t", tenant: "globex" }, "globex"],
])(
  "the tenant is that of the interface and not of the call: %j, %j",
  async (options, request, sent) => {
    const { transport, asked } = await openPeer([], options);
    await transport.getTask(request, { ...call, tenant: "own" });
    expect(asked[0]?.request["tenant"]).toBe(sent);
  },
);

test("a call's parameters replace the transport's headers, and the protocol's replace both", async () => {
  const headers = () => ({ "x-key": "transport", "a2a-version": "9" });
  const { transport, asked } = await openPeer([], { headers });
  const serviceParameters = { "X-Key": "call", "A2A-Version": "8" };
  await transport.getTask({ id: "t" }, { ...call, serviceParameters });
  expect(asked[0]?.metadata.get("x-key")).toEqual(["call"]);
  expect(asked[0]?.metadata.get("a2a-version")).toEqual(["1.0"]);
});

test("an agent is served as it is, with further options", async () => {
  const any = agent({ name: "Any", description: "Any", run: () => "" });
  const getTask = async () => ({ id: "t", contextId: "c", status }) as const;
  const mountable = {
    service: { getTask } as unknown as AgentService,
    card: (interfaces: Parameters<typeof any.card>[0]) => any.card(interfaces),
  };
  await using server = await openGrpcServer(mountable, { port: 0, drainMs: 100 });
  using transport = createGrpcTransport({ address: `127.0.0.1:${server.port}`, version: "1.0" });
  expect(await transport.getTask({ id: "t" }, call)).toMatchObject({ id: "t" });
});
