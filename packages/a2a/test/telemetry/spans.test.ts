import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { AlwaysOffSampler } from "@opentelemetry/sdk-trace-base";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agent, connect } from "@parley/a2a";
import type { RemoteAgent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { openCutProxy } from "../support/proxies/cut-proxy.js";
import { openReceiver } from "../support/servers/open-receiver.js";
import { createDeferred } from "../support/time/deferred.js";
import { idOf, lineOf, linksOf, recordSpans, traceOf } from "./record-spans.js";
import type { RecordedSpans } from "./record-spans.js";

/** What nobody may find in a span: it stands in every place where people and programs put their content. */
const canary = "canary-in-a-coal-mine";

let recorded: RecordedSpans;
let server: Server;
let remote: RemoteAgent;
let gate = createDeferred<void>();

const worker = agent({
  name: "Worker",
  version: "2.1",
  description: "Works in steps",
  capabilities: { streaming: true, pushNotifications: true },
  async *run({ text, step, trace: given }) {
    if (text === "trace") return given?.traceparent ?? "none";
    if (text.startsWith("say")) return text;
    yield { status: `Working on ${text}` };
    if (text.startsWith("fail")) throw new TypeError(`cannot ${text}`);
    const done = await step("work", () => ({ text }), { retries: 1 });
    if (text.startsWith("hold")) await gate.promise;
    yield { artifact: "out", text: done.text, metadata: { note: text } };
    return undefined;
  },
});

beforeAll(async () => {
  recorded = recordSpans();
  const { telemetry } = recorded;
  server = await serve(worker, {
    port: 0,
    store: createMemoryStore(),
    telemetry,
    push: { allowPrivate: true, schemes: ["http"] },
    report: () => undefined,
  });
  remote = await connect(server.url, { telemetry, patience: { pollMs: 5 } });
});
beforeEach(() => {
  gate = createDeferred();
  recorded.clear();
});
afterAll(async () => {
  await server.close();
  recorded[Symbol.dispose]();
});

function saying(text: string) {
  const metadata = { secret: canary };
  const parts = [{ text, metadata }];
  const message = { messageId: "m-1", role: "ROLE_USER", parts, contextId: "c-1" } as const;
  return { message, metadata };
}

/** Waits until this many requests have been answered, as the server sees it. */
async function answered(count: number): Promise<readonly ReadableSpan[]> {
  await expect.poll(() => recorded.named("POST", "SERVER")).toHaveLength(count);
  return recorded.all();
}

describe("a call", () => {
  it("has the names and attributes of the conventions, on both sides", async () => {
    const { task } = await remote.service.sendMessage(saying("go"));
    await answered(1);
    const common = {
      "a2a.method.name": "SendMessage",
      "a2a.protocol.version": "1.0",
      "gen_ai.agent.name": "Worker",
      "gen_ai.agent.version": "2.1",
      "gen_ai.agent.description": "Works in steps",
      "a2a.message.id": "m-1",
      "gen_ai.conversation.id": "c-1",
      "a2a.task.id": task?.id,
      "a2a.task.state": "TASK_STATE_COMPLETED",
    };
    expect(recorded.one("SendMessage", "SERVER").attributes).toEqual(common);
    expect(recorded.one("SendMessage", "CLIENT").attributes).toEqual({
      ...common,
      "server.address": "127.0.0.1",
      "server.port": server.port,
    });
    expect(recorded.one("POST").attributes).toEqual({
      "http.request.method": "POST",
      "http.response.status_code": 200,
      "url.path": "/",
    });
    expect(recorded.one("run Worker").attributes).toEqual({
      "gen_ai.agent.name": "Worker",
      "gen_ai.conversation.id": "c-1",
      "a2a.task.id": task?.id,
      "a2a.task.state": "TASK_STATE_COMPLETED",
      "parley.run.number": 1,
      "parley.run.attempt": 1,
      "parley.run.reason": "message",
      "parley.node.slot": 0,
      "parley.events": 2,
    });
    const step = recorded.one("step work");
    expect(step.attributes).toEqual({ "parley.step.name": "work" });
    expect(lineOf(step, recorded.all())).toEqual([
      "INTERNAL step work",
      "INTERNAL run Worker",
      "SERVER SendMessage",
      "SERVER POST",
      "CLIENT SendMessage",
    ]);
    await expect.poll(() => recorded.named("append").length).toBeGreaterThan(0);
    const append = recorded.named("append")[0]!;
    expect(append.attributes).toMatchObject({
      "db.system.name": "memory",
      "db.operation.name": "append",
    });
    expect(lineOf(append, recorded.all()).slice(0, 2)).toEqual([
      "CLIENT append",
      "INTERNAL run Worker",
    ]);
  });

  it("that fails shows the code of the error on both sides", async () => {
    await expect(remote.task("nobody's")).rejects.toThrow();
    await answered(1);
    for (const kind of ["SERVER", "CLIENT"] as const) {
      const { attributes, status } = recorded.one("GetTask", kind);
      expect(attributes).toMatchObject({
        "error.type": "TASK_NOT_FOUND",
        "a2a.task.id": "nobody's",
      });
      expect(status.code).toBe(SpanStatusCode.ERROR);
    }
  });

  it("whose handler fails shows the class of its error, in the run", async () => {
    await remote.service.sendMessage(saying("fail"));
    await answered(1);
    const { attributes, status } = recorded.one("run Worker");
    expect(attributes).toMatchObject({
      "error.type": "TypeError",
      "a2a.task.state": "TASK_STATE_FAILED",
    });
    expect(status.code).toBe(SpanStatusCode.ERROR);
  });

  it("that streams is one span, which counts its events and knows when the first came", async () => {
    let count = 0;
    for await (const _ of remote.service.sendStreamingMessage(saying("go"))) count += 1;
    await answered(1);
    for (const kind of ["SERVER", "CLIENT"] as const) {
      const { attributes, events } = recorded.one("SendStreamingMessage", kind);
      expect(attributes).toMatchObject({
        "parley.events": count,
        "a2a.task.state": "TASK_STATE_COMPLETED",
        "gen_ai.conversation.id": "c-1",
      });
      expect(events.map(({ name }) => name)).toEqual(["parley.first_event"]);
    }
  });

  it("shows nothing of what people and programs say, and no secret", async () => {
    const headers = { Authorization: `Bearer ${canary}`, "X-Secret": canary };
    const calling = await connect(server.url, { telemetry: recorded.telemetry, headers });
    const call = { version: "1.0", serviceParameters: { "X-Other": canary } } as const;
    for (const text of ["go", "say", "fail"]) {
      await calling.service.sendMessage(saying(`${text} ${canary}`), call);
    }
    for await (const _ of calling.stream(`go ${canary}`)) {
      // Only its spans are looked at.
    }
    await expect(calling.service.callMethod({ method: "x", params: { canary } })).rejects.toThrow();
    await fetch(`${server.url}/tasks/unknown?key=${canary}`);
    await answered(5);
    await expect.poll(() => recorded.named("GET", "SERVER")).toHaveLength(1);
    const shown = recorded
      .all()
      .map(({ name, attributes, events, links, status }) =>
        JSON.stringify({ name, attributes, events, links, status }),
      );
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter((span) => span.includes(canary))).toEqual([]);
  });
});

describe("the trace of a caller", () => {
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "SendMessage",
    params: { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "trace" }] } },
  });
  const request = (headers: Record<string, string>) => ({
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": "1.0", ...headers },
    body,
  });

  it("is continued, and is what the handler sees", async () => {
    const answer = await fetch(server.url, request({ traceparent, tracestate: "vendor=1" }));
    const told = await answer.text();
    await answered(1);
    const run = recorded.one("run Worker");
    expect(traceOf(run)).toBe(traceparent.slice(3, 35));
    expect(told).toContain(`00-${traceOf(run)}-${idOf(run)}-01`);
    expect(run.spanContext().traceState?.serialize()).toBe("vendor=1");
  });

  it("that is malformed begins nothing", async () => {
    await fetch(server.url, request({ traceparent: `00-${canary}-01` }));
    await answered(1);
    expect(recorded.one("POST").parentSpanContext).toBeUndefined();
    expect(recorded.one("POST").links).toEqual([]);
  });

  it("is a link where callers are not trusted with it", async () => {
    const { telemetry } = recorded;
    const store = createMemoryStore();
    const options = { port: 0, store, telemetry, trustTraceparent: false } as const;
    await using distrusting = await serve(worker, options);
    await fetch(distrusting.url, request({ traceparent }));
    await answered(1);
    const post = recorded.one("POST");
    expect(post.parentSpanContext).toBeUndefined();
    expect(traceOf(post)).not.toBe(traceparent.slice(3, 35));
    expect(linksOf(post)).toEqual([traceparent.slice(36, 52)]);
    expect(traceOf(recorded.one("run Worker"))).toBe(traceOf(post));
  });

  it("passes through a server that makes no spans", async () => {
    await using plain = await serve(worker, { port: 0, store: createMemoryStore() });
    const answer = await fetch(plain.url, request({ traceparent }));
    expect(await answer.text()).toContain(traceparent);
    expect(recorded.all()).toEqual([]);
  });

  it("that is not sampled is passed on, and nothing of the call is shown", async () => {
    using off = recordSpans(new AlwaysOffSampler());
    const { telemetry } = off;
    await using unseen = await serve(worker, { port: 0, store: createMemoryStore(), telemetry });
    const answer = await fetch(unseen.url, request({ traceparent }));
    expect(await answer.text()).toMatch(/00-4bf92f3577b34da6a3ce929d0e0e4736-[\da-f]{16}-00/);
    expect(off.all()).toEqual([]);
  });
});

describe("an HTTP span", () => {
  it("is left to whoever has made one for the request already", async () => {
    const { telemetry, provider } = recorded;
    const tracer = provider.getTracer("instrumentation");
    const { createNodeListener } = await import("@parley/a2a/node");
    const { openRuntime } = await import("@parley/a2a/server");
    const { createServer } = await import("node:http");
    await using runtime = await openRuntime({
      agent: worker,
      store: createMemoryStore(),
      telemetry,
    });
    const listener = createNodeListener(runtime, { telemetry });
    const http = createServer((incoming, outgoing) => {
      const span = tracer.startSpan("instrumented");
      outgoing.on("close", () => span.end());
      context.with(trace.setSpan(context.active(), span), () => listener(incoming, outgoing));
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const { port } = http.address() as { port: number };
    const caller = await connect(`http://127.0.0.1:${port}`);
    await Promise.all(["say 1", "say 2", "say 3"].map((text) => caller.send(text)));
    await expect.poll(() => recorded.named("instrumented")).toHaveLength(4);
    const calls = recorded.named("SendStreamingMessage", "SERVER");
    const above = calls.map((call) => lineOf(call, recorded.all()).slice(1));
    expect(above).toEqual([
      ["INTERNAL instrumented"],
      ["INTERNAL instrumented"],
      ["INTERNAL instrumented"],
    ]);
    // Requests that go on together each have their own.
    expect(new Set(calls.map(({ parentSpanContext }) => parentSpanContext?.spanId)).size).toBe(3);
    expect(recorded.named("POST")).toEqual([]);
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });

  it("is not made for health checks", async () => {
    await fetch(`${server.url}/healthz`);
    await fetch(`${server.url}/readyz`);
    await fetch(`${server.url}/.well-known/agent-card.json`);
    await expect.poll(() => recorded.all()).toHaveLength(1);
    expect(recorded.one("GET").attributes["url.path"]).toBe("/.well-known/agent-card.json");
  });
});

describe("a client", () => {
  it("has one span for a stream, with an event for each time it reconnects", async () => {
    await using proxy = await openCutProxy(server.port);
    const { telemetry } = recorded;
    const cut = await connect(proxy.through(server.url), { telemetry, random: () => 0 });
    recorded.clear();
    const states: unknown[] = [];
    for await (const event of cut.stream("hold")) {
      if (event.kind === "status" && states.push(event.status.state) === 1) {
        proxy.reset();
        gate.resolve();
      }
    }
    const { events, attributes } = recorded.one("SendStreamingMessage", "CLIENT");
    expect(
      events.map(({ name, attributes: shown }) => [name, shown?.["parley.reconnect.by"]]),
    ).toEqual([
      ["parley.first_event", undefined],
      ["reconnect", "sequence"],
    ]);
    expect(attributes["a2a.task.state"]).toBe("TASK_STATE_COMPLETED");
    expect(recorded.named("SubscribeToTask", "CLIENT")).toEqual([]);
    await expect.poll(() => recorded.named("SubscribeToTask", "SERVER")).toHaveLength(1);
    const resumed = recorded.one("SubscribeToTask", "SERVER");
    expect(lineOf(resumed, recorded.all()).at(-1)).toBe("CLIENT SendStreamingMessage");
  });

  it("has a span for each poll of a task, side by side", async () => {
    const { telemetry, provider } = recorded;
    const { card } = remote;
    const still = { ...card, capabilities: { ...card.capabilities, streaming: false } };
    const polling = await connect(still, { telemetry, patience: { pollMs: 5 } });
    const program = provider.getTracer("test").startSpan("program");
    const inProgram = trace.setSpan(context.active(), program);
    const sent = context.with(inProgram, () => polling.send("hold"));
    await expect.poll(() => recorded.named("GetTask", "CLIENT").length).toBeGreaterThan(2);
    gate.resolve();
    await sent;
    program.end();
    const polls = recorded.named("GetTask", "CLIENT");
    const lines = new Set(polls.map((poll) => lineOf(poll, recorded.all()).join(" < ")));
    expect([...lines]).toEqual(["CLIENT GetTask < INTERNAL program"]);
    const tasks = new Set(polls.map(({ attributes }) => attributes["a2a.task.id"]));
    expect(tasks.size).toBe(1);
  });
});

describe("a push notification", () => {
  it("has a span where it is queued, and one for each attempt, which its receiver can continue", async () => {
    let refused = 1;
    await using receiver = await openReceiver({
      answer: (response) => response.writeHead(refused-- > 0 ? 503 : 204).end(),
    });
    const { task } = await remote.send("go", { taskPushNotificationConfig: { url: receiver.url } });
    await expect.poll(() => recorded.named("push POST").length).toBeGreaterThan(1);
    const [queued] = recorded.named("push", "PRODUCER");
    expect(lineOf(queued!, recorded.all()).slice(0, 2)).toEqual([
      "PRODUCER push",
      "INTERNAL run Worker",
    ]);
    const [first] = recorded.named("push POST", "CLIENT");
    expect(first!.status.code).toBe(SpanStatusCode.ERROR);
    expect(first!.attributes).toMatchObject({
      "a2a.task.id": task?.id,
      "http.request.method": "POST",
      "parley.push.attempt": 1,
    });
    const producers = recorded.named("push", "PRODUCER").map(idOf);
    expect(producers).toContain(linksOf(first!)[0]);
    const [got] = await receiver.until(1);
    expect(got?.headers["traceparent"]).toBe(`00-${traceOf(first!)}-${idOf(first!)}-01`);
  });
});
