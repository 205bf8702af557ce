import { connect } from "node:http2";
import { status } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { openGrpcServer } from "../../src/grpc/index.js";
import type { GrpcServerOptions } from "../../src/grpc/index.js";
import { service as health } from "../../src/grpc/gen/grpc-health-v1.js";
import { A2AError } from "../../src/protocol/internal.js";
import type { AgentService, CallContext, StreamEvent } from "../../src/protocol/internal.js";
import { agent } from "../../src/server/index.js";
import type { Agent } from "../../src/server/index.js";
import { RawClient, reasonOf, say } from "../support/clients/raw-grpc-client.js";

const any = agent({ name: "Any", description: "Any", run: () => "" });

async function open(
  service: Partial<AgentService>,
  options: Partial<GrpcServerOptions> = {},
): Promise<{ client: RawClient; port: number; close: () => Promise<void> }> {
  const card: Agent["card"] = (interfaces) => any.card(interfaces);
  const mounts = [{ agent: { service: service as AgentService, card } }];
  const server = await openGrpcServer({ mounts, port: 0, drainMs: 200, ...options });
  const client = new RawClient(`127.0.0.1:${server.port}`);
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  return { client, port: server.port, close: () => server.close() };
}

const working: StreamEvent = {
  response: { task: { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } } },
};

/** A stream that tells of its beginning, and then of nothing until its caller is gone. */
function watcher(): { service: Partial<AgentService>; calls: CallContext[]; ended: number[] } {
  const calls: CallContext[] = [];
  const ended: number[] = [];
  const wait = (call: CallContext): Promise<void> =>
    new Promise((resolve) => call.signal?.addEventListener("abort", () => resolve()));
  async function* watch(_: unknown, call: CallContext): AsyncGenerator<StreamEvent, void> {
    const number = calls.push(call);
    try {
      yield working;
      await wait(call);
    } finally {
      ended.push(number);
    }
  }
  const sendMessage = async (_: unknown, call: CallContext): Promise<never> => {
    const number = calls.push(call);
    await wait(call);
    ended.push(number);
    throw new A2AError("UNAVAILABLE", "nobody waits any longer");
  };
  return {
    service: { sendMessage, subscribeToTask: watch, sendStreamingMessage: watch },
    calls,
    ended,
  };
}

test.each([
  ["SubscribeToTask", { id: "t" }],
  ["SendStreamingMessage", say("hi")],
])("a caller of %s that goes away ends its own stream and no other", async (method, request) => {
  const { service, calls, ended } = watcher();
  const { client } = await open(service);
  const staying = client.stream("1.0", method, request);
  staying.on("error", () => {});
  await new Promise((resolve) => staying.once("data", resolve));
  expect(await client.first("1.0", method, request)).toHaveProperty("message");
  await expect.poll(() => ended).toEqual([2]);
  expect(calls.map(({ signal }) => signal?.aborted)).toEqual([false, true]);
  staying.cancel();
  await expect.poll(() => ended).toEqual([2, 1]);
});

test("a stream that never looks up is ended all the same when its caller has gone away", async () => {
  let ended = 0;
  async function* sendStreamingMessage(): AsyncGenerator<StreamEvent, void> {
    try {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        yield working;
      }
    } finally {
      ended += 1;
    }
  }
  const { client } = await open({ sendStreamingMessage });
  await client.first("1.0", "SendStreamingMessage", say("hi"));
  await expect.poll(() => ended).toBe(1);
});

test("a caller whose deadline passes is no longer waited for", async () => {
  const { service, calls, ended } = watcher();
  const { client } = await open(service);
  // The call has to have arrived by then, which a busy machine may need more time for.
  for (let patienceMs = 100; calls.length === 0; patienceMs *= 2) {
    const options = { deadline: Date.now() + patienceMs };
    const { error } = await client.call("1.0", "SendMessage", say("hi"), { options });
    expect(error).toMatchObject({ code: status.DEADLINE_EXCEEDED });
  }
  await expect.poll(() => ended.length === calls.length).toBe(true);
});

test("a request's tenant is that of its call", async () => {
  const { service, calls } = watcher();
  const getTask = async (_: unknown, call: CallContext): Promise<never> => {
    calls.push(call);
    throw new A2AError("TASK_NOT_FOUND", "there is none");
  };
  const { client } = await open({ ...service, getTask });
  await client.call("1.0", "GetTask", { tenant: "one", id: "t" });
  await client.first("1.0", "SubscribeToTask", { tenant: "two", id: "t" });
  expect(calls.map(({ tenant }) => tenant)).toEqual(["one", "two"]);
});

test("a strict server refuses calls of 1.0 that name no version", async () => {
  const { client } = await open({}, { strict: true });
  const { error } = await client.call("1.0", "GetTask", { id: "t" });
  expect(error).toMatchObject({ code: status.FAILED_PRECONDITION });
  expect(reasonOf(error)).toMatchObject({ reason: "VERSION_NOT_SUPPORTED" });
});

test("details that no trailer could carry are cut to the reason", async () => {
  const fieldViolations = Array.from({ length: 200 }, (_, index) => ({
    field: `message.parts[${index}]`,
    description: "it is not to be had in this form",
  }));
  const getTask = (): Promise<never> =>
    Promise.reject(new A2AError("INVALID_PARAMS", "wrong", { details: { fieldViolations } }));
  const { client } = await open({ getTask });
  const { error } = await client.call("1.0", "GetTask", { id: "t" });
  expect(error).toMatchObject({
    code: status.INVALID_ARGUMENT,
    details: "Invalid parameters: wrong",
  });
  expect(reasonOf(error)).toMatchObject({ reason: "INVALID_PARAMS" });
  const [details] = error?.metadata.get("grpc-status-details-bin") ?? [];
  expect(details?.length).toBeLessThan(200);
});

const same = (bytes: Buffer): Buffer => bytes;

/** Everything that those who watch the health service are told of a service. */
function watchHealth({ client }: RawClient, request = Buffer.alloc(0)): unknown[] {
  const { response } = health.methods["Watch"] ?? expect.fail("there is no such method");
  const watching = client.makeServerStreamRequest(`/${health.name}/Watch`, same, same, request);
  const told: unknown[] = [];
  watching.on("data", (bytes: Buffer) => told.push(response.decode(bytes)["status"]));
  watching.on("error", () => {});
  return told;
}

test("who watches the health service is told when the server stops, and does not hold it up", async () => {
  const { client, close } = await open({}, { drainMs: 3_600_000 });
  const told = watchHealth(client);
  const ofNone = watchHealth(client, Buffer.from("\n\u0002no"));
  await expect.poll(() => [...told, ...ofNone]).toEqual(["SERVING", "SERVICE_UNKNOWN"]);
  await close();
  await expect.poll(() => told).toEqual(["SERVING", "NOT_SERVING"]);
});

test("who watches the health service is told of every change, once", async () => {
  let asked = 0;
  let ready = true;
  const isReady = (): Promise<boolean> => {
    asked += 1;
    return Promise.resolve(ready);
  };
  const { client } = await open({}, { isReady, healthCheckMs: 5 });
  const told = watchHealth(client);
  const untilAskedAgain = async (): Promise<void> => {
    const before = asked;
    await expect.poll(() => asked).toBeGreaterThan(before + 2);
  };
  await untilAskedAgain();
  ready = false;
  await untilAskedAgain();
  ready = true;
  await expect.poll(() => told).toEqual(["SERVING", "NOT_SERVING", "SERVING"]);
});

test("who watches the health of what there is not is told so", async () => {
  const { client } = await open({});
  const told = watchHealth(client, Buffer.from("\n\u0002no"));
  await expect.poll(() => told).toEqual(["SERVICE_UNKNOWN"]);
});

test("a tool that keeps reflection open does not hold up a server that stops", async () => {
  const { client, close } = await open({});
  const asking = client.client.makeBidiStreamRequest(reflectionPath, same, same);
  asking.on("error", () => {});
  const answered = new Promise((resolve) => asking.once("data", resolve));
  asking.write(Buffer.from([58, 0]));
  await answered;
  await close();
});

test("a caller that never reads does not hold up a server that stops", async () => {
  const text = "x".repeat(100_000);
  const message = { messageId: "m", role: "ROLE_AGENT" as const, parts: [{ text }] };
  let written = 0;
  async function* sendStreamingMessage(_: unknown, { signal }: CallContext) {
    while (signal?.aborted !== true) {
      written += 1;
      yield { response: { message } };
    }
  }
  const { client, port, close } = await open({ sendStreamingMessage });
  const session = connect(`http://127.0.0.1:${port}`).on("error", () => {});
  onTestFinished(() => session.destroy());
  const path = "/lf.a2a.v1.A2AService/SendStreamingMessage";
  session
    .request({ ":method": "POST", ":path": path, "content-type": "application/grpc" })
    .on("error", () => {})
    .end(client.frame("1.0", "SendStreamingMessage", say("hi")));
  await expect.poll(() => written).toBeGreaterThan(0);
  await close();
});

const reflectionPath = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";

test("a server without reflection has none", async () => {
  const { client } = await open({}, { reflection: false });
  const asking = client.client.makeBidiStreamRequest(reflectionPath, same, same);
  asking.end();
  const error = await new Promise((resolve) => asking.on("error", resolve).resume());
  expect(error).toMatchObject({ code: status.UNIMPLEMENTED });
});
