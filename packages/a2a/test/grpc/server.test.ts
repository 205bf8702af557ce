import { connect } from "node:http2";
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { status } from "@grpc/grpc-js";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createGrpcTransport, openGrpcServer } from "../../src/grpc/index.js";
import { A2AError, eventIdUri } from "../../src/protocol/internal.js";
import type { AgentService, CallContext, MountableAgent } from "../../src/protocol/internal.js";
import type { GrpcServerOptions } from "../../src/grpc/index.js";
import { agent, openRuntime } from "../../src/server/index.js";
import type { Agent } from "../../src/server/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { authenticatorOf } from "../support/auth/authenticator-of.js";
import { RawClient, reasonOf, say, say03 } from "../support/clients/raw-grpc-client.js";
import { verifies } from "../spec/verifies.js";

const demo = agent({
  name: "Demo",
  description: "Counts, waits or repeats",
  capabilities: {
    pushNotifications: true,
    extensions: [{ uri: "urn:example:one" }, { uri: "urn:example:two" }],
  },
  async *run({ text, signal, extensions }) {
    const [word, number = "1", size = "0"] = text.split(" ");
    if (word === "count") {
      for (let chunk = 1; chunk <= Number(number); chunk += 1) {
        yield `${chunk} ${"x".repeat(Number(size))}`;
      }
      return;
    }
    if (word === "wait") {
      yield { status: "Waiting" };
      await new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason)),
      );
    }
    return extensions.length > 0 ? extensions.join() : text;
  },
});

function hostedAgent(service: AgentService, served: Agent): MountableAgent {
  return { service, card: (interfaces) => served.card(interfaces) };
}

async function open(
  options: Partial<GrpcServerOptions> = {},
  served: Agent = demo,
): Promise<{ client: RawClient; service: AgentService; port: number; seen: CallContext[] }> {
  const store = createMemoryStore();
  const settings = { stopGraceMs: 50, cancelGraceMs: 200 };
  const runtime = await openRuntime({ agent: served, store, settings, report: () => {} });
  const seen: CallContext[] = [];
  const service: AgentService = new Proxy(runtime, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (request: unknown, call: CallContext): unknown => {
        seen.push(call);
        return member.call(target, request, call);
      };
    },
  });
  const server = await openGrpcServer({
    mounts: [{ agent: { ...runtime, service } }],
    port: 0,
    drainMs: 200,
    ...options,
  });
  const client = new RawClient(`127.0.0.1:${server.port}`);
  onTestFinished(async () => {
    client.close();
    await server.close();
    await runtime.close();
    await store.close();
  });
  return { client, service: runtime, port: server.port, seen };
}

describe("what is no proper message", () => {
  test("is refused where a field has the wrong wire type, and the server goes on", async () => {
    const { client } = await open();
    const wrong = Buffer.from([2 << 3, 7]);
    const { error } = await client.call("1.0", "SendMessage", wrong);
    expect(error).toMatchObject({ code: status.INVALID_ARGUMENT });
    expect(error?.details).toContain("expected a lf.a2a.v1.SendMessageRequest: field 2");
    expect(reasonOf(error)).toMatchObject({ reason: "PARSE_ERROR" });
    const { message } = await client.call("1.0", "SendMessage", say("hello"));
    expect(message).toMatchObject({ message: { parts: [{ text: "hello" }] } });
  });

  test.each([
    ["that ends in the middle", Buffer.from([(2 << 3) | 2, 200, 1, 0])],
    ["that is noise", Buffer.from("complete nonsense")],
    ["with a field of number 0", Buffer.from([0, 0])],
    ["with text that is not UTF-8", Buffer.from([10, 2, 0xc3, 0x28])],
    ["with groups that never end", Buffer.alloc(2000, 0x7b)],
    ["with values nested without end", nested(5000)],
  ])("is refused when it is a message %s", async (_, bytes) => {
    const { client } = await open();
    const { error } = await client.call("1.0", "SendMessage", bytes);
    expect(error).toMatchObject({ code: status.INVALID_ARGUMENT });
  });

  test("is refused by the field when an enum has an unknown number", async () => {
    const { client } = await open();
    const { error } = await client.call("1.0", "ListTasks", { status: 99 });
    expect(error).toMatchObject({ code: status.INVALID_ARGUMENT });
    expect(error?.details).toMatch(/^Invalid parameters: status: .*got 99$/);
    const role = { ...say("x"), message: { messageId: "m", role: 7, parts: [{ text: "x" }] } };
    const refused = await client.call("1.0", "SendMessage", role);
    expect(refused.error).toMatchObject({ code: status.INVALID_ARGUMENT });
    expect(refused.error?.details).toMatch(/^Invalid parameters: message\.role: /);
  });

  test("is refused by the field when a resource name is none", async () => {
    const { client } = await open();
    const { error } = await client.call("0.3", "GetTask", { name: "t1" });
    expect(error).toMatchObject({ code: status.INVALID_ARGUMENT });
    expect(error?.details).toMatch(/: name: expected a name such as tasks\/{task}/);
  });

  test.each([
    ["GetTask", { name: "tasks/t/pushNotificationConfigs/c" }, /: name: .* tasks\/{task}$/],
    ["CancelTask", { name: "tasks/t/pushNotificationConfigs/c" }, /: name: .* tasks\/{task}$/],
    ["DeleteTaskPushNotificationConfig", { name: "tasks/t" }, /: name: .*\/{config}$/],
  ])("is refused when %s names a resource of another kind", async (method, request, problem) => {
    const { client, seen } = await open();
    const { error } = await client.call("0.3", method, request);
    expect(error).toMatchObject({ code: status.INVALID_ARGUMENT });
    expect(error?.details).toMatch(problem);
    expect(seen).toEqual([]);
  });

  test("is refused when it is larger than allowed, and the server goes on", async () => {
    const limits = { maxBodyBytes: 10_000, maxParts: 10, maxJsonDepth: 10, maxIdLength: 64 };
    const { client } = await open({ limits });
    const { error } = await client.call("1.0", "SendMessage", say("x".repeat(20_000)));
    expect(error).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    const { message } = await client.call("1.0", "SendMessage", say("hello"));
    expect(message).toMatchObject({ message: { parts: [{ text: "hello" }] } });
  });
});

test("a role that is written as 0 is none, as in protobuf it is", async () => {
  const { client } = await open();
  const part = Buffer.from("*\u0007\n\u0005hello");
  const message = Buffer.concat([Buffer.from([10, 1, 109, 32, 0]), part]);
  const bytes = Buffer.concat([Buffer.from([10, message.length]), message]);
  const older = await client.call("0.3", "SendMessage", bytes);
  expect(older.message).toMatchObject({ message: { content: [{ text: "hello" }] } });
  const later = Buffer.concat([Buffer.from([18, message.length]), message]);
  const { error } = await client.call("1.0", "SendMessage", later);
  expect(error?.details).toBe("Invalid parameters: message.role: this member is required");
});

/** A message whose metadata is a list of a list of a list, and so on. */
function nested(depth: number): Buffer {
  let value = Buffer.from([8, 0]);
  const wrap = (tag: number): void => {
    const length: number[] = [];
    for (let rest = value.length; ; rest >>>= 7) {
      length.push(rest > 127 ? (rest & 127) | 128 : rest);
      if (rest <= 127) break;
    }
    value = Buffer.concat([Buffer.from([tag, ...length]), value]);
  };
  for (let level = 0; level < depth; level += 1) {
    wrap(10);
    wrap(50);
  }
  for (const tag of [18, 10, 34]) wrap(tag);
  return value;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** The memory of buffers that are in use. What one collection finds is counted off in the next. */
function bytesHeld(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

describe("a stream", () => {
  test("whose caller never reads takes little memory, and others go on", async () => {
    const { client, port, service } = await open();
    const before = bytesHeld();
    // The client of grpc-js takes in what nobody reads; HTTP/2 itself does not.
    const session = connect(`http://127.0.0.1:${port}`);
    const frame = client.frame("1.0", "SendStreamingMessage", say("count 200 20000"));
    const path = "/lf.a2a.v1.A2AService/SendStreamingMessage";
    for (let stream = 0; stream < 20; stream += 1) {
      const unread = { ":method": "POST", ":path": path, "content-type": "application/grpc" };
      session
        .request({ ...unread, te: "trailers" })
        .on("error", () => {})
        .end(frame);
    }
    const busy = await client.collect("1.0", "SendStreamingMessage", say("count 100"));
    expect(busy.events.length).toBeGreaterThan(100);
    // All there is to tell is there, whoever reads it.
    const done = { status: "TASK_STATE_COMPLETED" } as const;
    await expect
      .poll(async () => (await service.listTasks(done, { version: "1.0" })).totalSize)
      .toBe(21);
    const { message } = await client.call("1.0", "SendMessage", say("hello"));
    expect(message).toBeDefined();
    // All of it would be 80 MB.
    expect(bytesHeld() - before).toBeLessThan(15_000_000);
    session.destroy();
  });

  test("is ended by its caller's deadline, and the work goes on", async () => {
    const { client, service } = await open();
    let events: readonly { task?: { id: string } }[] = [];
    // The stream has to have begun by then, which a busy machine may need more time for.
    for (let patienceMs = 200; events.length < 2; patienceMs *= 2) {
      const options = { deadline: Date.now() + patienceMs };
      const late = await client.collect("1.0", "SendStreamingMessage", say("wait"), { options });
      expect(late.error).toMatchObject({ code: status.DEADLINE_EXCEEDED });
      events = late.events;
    }
    const id = events[0]?.task?.id ?? "";
    const { status: now } = await service.getTask({ id }, { version: "1.0" });
    expect(now.state).toBe("TASK_STATE_WORKING");
  });

  test("tells its last sequence in the trailers, and can be resumed after any", async () => {
    verifies("grpc:server-streaming");
    const { client } = await open();
    const whole = await client.collect("1.0", "SendStreamingMessage", say("count 5"));
    const last = Number(whole.trailers?.get("last-event-id")[0]);
    expect(last).toBeGreaterThan(5);
    expect(JSON.stringify(whole.events)).not.toContain(eventIdUri);
    const [first] = whole.events as readonly { task?: { id: string } }[];
    const id = first?.task?.id ?? "";
    const metadata = { "last-event-id": String(last - 2), "a2a-extensions": eventIdUri };
    const rest = await client.collect("1.0", "SubscribeToTask", { id }, { metadata });
    expect(rest.initial?.get("a2a-extensions")).toEqual([eventIdUri]);
    const ids = rest.events.map((event) => {
      const [update] = Object.values(event) as { metadata?: Record<string, unknown> }[];
      return update?.metadata?.[eventIdUri];
    });
    expect(ids).toEqual([last - 1, last]);
  });

  test("ends with UNAVAILABLE when the server stops", async () => {
    const store = createMemoryStore();
    const runtime = await openRuntime({ agent: demo, store, settings: { stopGraceMs: 50 } });
    const server = await openGrpcServer({
      mounts: [{ agent: runtime }],
      port: 0,
    });
    const client = new RawClient(`127.0.0.1:${server.port}`);
    const streaming = client.collect("1.0", "SendStreamingMessage", say("wait"));
    const waiting = client.call("1.0", "SendMessage", say("wait"));
    await expect
      .poll(async () => (await runtime.listTasks({}, { version: "1.0" })).totalSize)
      .toBe(2);
    await server.close();
    expect((await streaming).error).toMatchObject({ code: status.UNAVAILABLE });
    expect((await waiting).error).toMatchObject({ code: status.UNAVAILABLE });
    client.close();
    await runtime.close();
  });
});

describe("metadata", () => {
  test("hold a key of a call whole or not at all: cut short, two of them could be one", async () => {
    const { client, seen } = await open();
    const metadata = { "idempotency-key": "k".repeat(257) };
    const { error } = await client.call("1.0", "SendMessage", say("hello"), { metadata });
    expect(error?.code).toBe(status.INVALID_ARGUMENT);
    expect(seen).toEqual([]);
  });

  test("say who calls, with what key and in which trace", async () => {
    verifies("grpc:metadata-read");
    const auth = authenticatorOf(async (credentials) =>
      credentials.header("authorization") === "Bearer x" ? { subject: "me" } : undefined,
    );
    const { client, seen } = await open({ auth });
    const metadata = {
      authorization: "Bearer x",
      "idempotency-key": "k",
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    };
    await client.call("1.0", "SendMessage", say("hello"), { metadata });
    expect(seen).toMatchObject([
      {
        version: "1.0",
        dialect: "1.0",
        principal: { subject: "me" },
        idempotencyKey: "k",
        trace: { traceparent: metadata.traceparent },
      },
    ]);
  });

  test.each([
    ["1.0", "a2a-extensions", say("hello")],
    ["0.3", "x-a2a-extensions", say03("hello")],
  ] as const)("activate extensions in %s", async (version, name, request) => {
    const { client } = await open();
    const metadata = { [name]: "urn:example:two, urn:example:unknown" };
    const { message, initial } = await client.call(version, "SendMessage", request, { metadata });
    expect(initial?.get(name)).toEqual(["urn:example:two"]);
    expect(JSON.stringify(message)).toContain("urn:example:two");
  });

  test.each([
    ["1.0", "0.3"],
    ["1.0", "1.1"],
    ["0.3", "1.0"],
    ["1.0", "nonsense"],
  ] as const)("of the service of %s that ask for %s are refused", async (version, named) => {
    const { client } = await open();
    const metadata = { "a2a-version": named };
    const request = version === "1.0" ? { id: "t" } : { name: "tasks/t" };
    const { error } = await client.call(version, "GetTask", request, { metadata });
    expect(error).toMatchObject({ code: status.FAILED_PRECONDITION });
    expect(reasonOf(error)).toMatchObject({
      reason: "VERSION_NOT_SUPPORTED",
      domain: "a2a-protocol.org",
      metadata: { supportedVersions: expect.any(String) },
    });
  });
});

test("the push methods of 0.2.2 to 0.2.4 and their resources go by their earlier names", async () => {
  const { client, port } = await open();
  const transport = createGrpcTransport({ address: `127.0.0.1:${port}`, version: "0.3" });
  const message = { messageId: "m", role: "ROLE_USER" as const, parts: [{ text: "count" }] };
  const { task } = await transport.sendMessage({ message }, { version: "0.3" });
  transport.close();
  const parent = `tasks/${task?.id}`;
  const pushNotificationConfig = { id: "c", url: "https://caller.example/" };
  const name = `${parent}/pushNotificationConfigs/c`;
  const create = { parent, configId: "c", config: { name, pushNotificationConfig } };
  const created = await callAlias(client, "CreateTaskPushNotification", create);
  expect(created).toMatchObject({ message: { name, pushNotificationConfig } });
  const got = await callAlias(client, "GetTaskPushNotification", { name });
  expect(got).toMatchObject({ message: { name } });
  const earlierName = `${parent}/pushNotifications/c`;
  const again = await callAlias(client, "GetTaskPushNotification", { name: earlierName });
  expect(again).toMatchObject({ message: { name } });
  const listed = await callAlias(client, "ListTaskPushNotification", { parent });
  expect(listed).toMatchObject({ message: { configs: [{ name }] } });
});

test("a configuration of 0.2 may say whose it is by its own name alone", async () => {
  const { client } = await open();
  const { message } = await client.call("0.3", "SendMessage", say03("count"));
  const { id } = (message as { task: { id: string } }).task;
  const pushNotificationConfig = { id: "c", url: "https://caller.example/" };
  const config = { name: `tasks/${id}/pushNotificationConfigs/c`, pushNotificationConfig };
  const create = { parent: "", configId: "", config };
  const created = await client.call("0.3", "CreateTaskPushNotificationConfig", create);
  expect(created).toMatchObject({ message: config });
  const nobodys = { ...create, config: { ...config, name: "" } };
  const { error } = await client.call("0.3", "CreateTaskPushNotificationConfig", nobodys);
  const words =
    "InvalidParamsError: Invalid parameters: parent: expected a name such as tasks/{task}";
  expect(error?.details).toBe(words);
});

/** Calls by the earlier name with the bytes of the later one. */
function callAlias(
  client: RawClient,
  alias: string,
  request: Parameters<RawClient["call"]>[2],
): ReturnType<RawClient["call"]> {
  return client.callAs("0.3", alias, `${alias}Config`, request);
}

test("an unknown method is not implemented", async () => {
  const { client } = await open();
  const { error } = await client.callAs("0.3", "ListTasks", "GetTask", { name: "tasks/t" });
  expect(error).toMatchObject({ code: status.UNIMPLEMENTED });
});

test("what a service throws is reported, not told", async () => {
  const reportFailure = vi.fn();
  const failure = new Error("the password is swordfish");
  const service = { getTask: () => Promise.reject(failure) } as unknown as AgentService;
  const { client } = await open({ mounts: [{ agent: hostedAgent(service, demo) }], reportFailure });
  const { error } = await client.call("1.0", "GetTask", { id: "t" });
  expect(error).toMatchObject({ code: status.INTERNAL, details: "Internal error" });
  expect(JSON.stringify(error?.metadata.toJSON())).not.toContain("swordfish");
  expect(reportFailure).toHaveBeenCalledWith(failure);
});

test("what a stream returns when it is over is no event of it", async () => {
  const response = { message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "a" }] } };
  const service = {
    async *sendStreamingMessage() {
      yield { response };
      return { response };
    },
  } as unknown as AgentService;
  const { client } = await open({ mounts: [{ agent: hostedAgent(service, demo) }] });
  const said = { messageId: "m", role: "ROLE_USER", parts: [{ text: "go" }] };
  const stream = client.stream("1.0", "SendStreamingMessage", { message: said });
  const messages: unknown[] = [];
  for await (const message of stream as AsyncIterable<Buffer>) messages.push(message);
  expect(messages).toHaveLength(1);
});

test("an error whose words have half of a character is told, and the server goes on", async () => {
  const failing = await openRuntime({ agent: demo, store: createMemoryStore() });
  const halved = new Proxy(failing, {
    get: (target, name) => {
      if (name !== "getTask") return Reflect.get(target, name) as unknown;
      return () => Promise.reject(new A2AError("TASK_NOT_FOUND", "no task \ud83d here"));
    },
  });
  const server = await openGrpcServer({
    mounts: [{ agent: { ...failing, service: halved } }],
    port: 0,
  });
  onTestFinished(() => server.close());
  const caller = new RawClient(`127.0.0.1:${server.port}`);
  const { error } = await caller.call("1.0", "GetTask", { id: "t" });
  expect(error).toMatchObject({
    code: status.NOT_FOUND,
    details: "Task not found: no task \ufffd here",
  });
  caller.close();
});
