import { agent } from "@parley/a2a/server";
import type { AgentDefinition } from "@parley/a2a/server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Server } from "@parley/a2a/node";
import { collect, eventsOf, openEvents } from "../support/clients/event-client.js";
import type { Event } from "../support/clients/event-client.js";
import { call, jsonOf, rpc, sayOldest, send } from "../support/clients/http-client.js";
import { createGate } from "../support/time/gate.js";
import { openServer } from "../support/servers/open-server.js";

let gate = createGate();
let server: Server;

const definition: AgentDefinition = {
  name: "Slow",
  description: "Tells half, waits for the gate, and tells the rest",
  async *run() {
    yield { artifact: "first", text: "whole" };
    yield "half";
    await gate.opened;
    yield " and half";
  },
};

beforeEach(async () => {
  gate = createGate();
  server = await openServer({ agent: agent(definition) });
});
afterEach(() => server.close());

/** The ways in which a caller of 0.1 asks: it names its version, or the task tells it. */
const ways: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["that names its version", { "A2A-Version": "0.1" }],
  ["whose task tells its version", {}],
];

/** Begins a task of 0.1, and leaves its stream once half of the answer is there. */
async function beginTask(id: string): Promise<void> {
  using stream = await openEvents(
    server.url,
    "POST /",
    rpc("tasks/sendSubscribe", sayOldest(id, "go")),
  );
  for await (const { data } of eventsOf(stream)) {
    if (data.result.artifact?.index === 1) return;
  }
}

async function endTask(id: string): Promise<void> {
  gate.open();
  const { result } = await call(server.url, "tasks/send", sayOldest(id, "go"));
  expect(result.status.state).toBe("completed");
}

/** Expects what 0.1 streams: a status or an artifact, and never a task. */
function expectUpdates(events: readonly Event[]): void {
  for (const { data } of events) {
    const { status, artifact, final, kind, ...others } = data.result;
    expect(kind === "task").toBe(false);
    expect([status, artifact].filter((one) => one !== undefined)).toHaveLength(1);
    expect(final).toBe(status === undefined ? undefined : final === true);
    expect(others).not.toHaveProperty("artifacts");
  }
}

describe.each(ways)("a caller of 0.1 %s", (_, headers) => {
  const resubscribe = (id: string, more: Readonly<Record<string, string>> = {}) =>
    openEvents(server.url, "POST /", rpc("tasks/resubscribe", { id }, { ...headers, ...more }));

  it("resubscribes to the updates that lead to the task, and to those that follow", async () => {
    await beginTask("t1");
    using stream = await resubscribe("t1");
    expect(stream.headers["content-type"]).toBe("text/event-stream");
    gate.open();
    const events = await collect(stream);
    expectUpdates(events);
    const told = events.map(({ data }) => data.result);
    const parts = (text: string): object => ({ parts: [{ type: "text", text }] });
    expect(told).toMatchObject([
      { id: "t1", artifact: { index: 0, append: false, ...parts("whole") } },
      { id: "t1", artifact: { index: 1, append: false, ...parts("half") } },
      { id: "t1", status: { state: "working" }, final: false },
      { id: "t1", artifact: { index: 1, append: true, lastChunk: true, ...parts(" and half") } },
      { id: "t1", status: { state: "completed" }, final: true },
    ]);
  });

  it("learns that the stream of an ended task closes at once", async () => {
    await endTask("t1");
    using stream = await resubscribe("t1");
    const events = await collect(stream);
    expectUpdates(events);
    expect(events.map(({ data }) => data.result)).toMatchObject([
      { id: "t1", artifact: { index: 0, append: false, lastChunk: true } },
      { id: "t1", artifact: { index: 1, append: false, lastChunk: true } },
      { id: "t1", status: { state: "completed" }, final: true },
    ]);

    using again = await resubscribe("t1", { "Last-Event-ID": events.at(-1)?.id ?? "" });
    const repeated = await collect(again);
    expect(repeated).toHaveLength(1);
    expect(repeated[0]?.data.result).toMatchObject({ status: { state: "completed" }, final: true });
  });
});

it("a caller that names 0.3 resubscribes to the task itself", async () => {
  await endTask("t1");
  const headers = { "A2A-Version": "0.3" };
  using stream = await openEvents(
    server.url,
    "POST /",
    rpc("tasks/resubscribe", { id: "t1" }, headers),
  );
  const [first, ...more] = await collect(stream);
  expect(first?.data.result).toMatchObject({ kind: "task", status: { state: "completed" } });
  expect(more).toEqual([]);
});

describe("a stream of 0.1 that cannot be opened", () => {
  const version = { "A2A-Version": "0.1" };

  it.each([
    {
      what: "of no task",
      method: "tasks/resubscribe",
      params: { id: "nobody's" },
      is: [404, -32001],
    },
    { what: "without an id", method: "tasks/resubscribe", params: {}, is: [400, -32602] },
    {
      what: "without a message",
      method: "tasks/sendSubscribe",
      params: { id: "t2" },
      is: [400, -32602],
    },
    {
      what: "of an ended task",
      method: "tasks/sendSubscribe",
      params: sayOldest("t1", "more"),
      is: [400, -32004],
    },
  ])(
    "$what is an HTTP error with the JSON-RPC error in its body",
    async ({ method, params, is }) => {
      await endTask("t1");
      const request = rpc(method, params, { ...version, Accept: "text/event-stream" });
      const answer = await send(server.url, "POST /", request);
      const { id } = request.json as { id: number };
      const { error, ...envelope } = jsonOf(answer);
      expect([answer.status, error.code]).toEqual(is);
      expect(envelope).toEqual({ jsonrpc: "2.0", id });
      expect(answer.headers["content-type"]).toBe("application/json");
    },
  );

  it.each(["tasks/sendSubscribe", "tasks/resubscribe"])(
    "because the agent streams nothing is one: %s",
    async (method) => {
      const silent = agent({ ...definition, capabilities: { streaming: false } });
      await using other = await openServer({ agent: silent });
      const answer = await send(other.url, "POST /", rpc(method, sayOldest("t1", "go"), version));
      expect(answer.status).toBe(400);
      expect(jsonOf(answer).error.code).toBe(-32004);
    },
  );

  it("is one for a task that the caller's version is known by", async () => {
    const silent = agent({ ...definition, capabilities: { streaming: false } });
    await using other = await openServer({ agent: silent });
    gate.open();
    await call(other.url, "tasks/send", sayOldest("t1", "go"));
    const answer = await send(other.url, "POST /", rpc("tasks/resubscribe", { id: "t1" }));
    expect(answer.status).toBe(400);
  });

  it.each([
    ["message/stream", {}, -32602],
    ["tasks/resubscribe", { id: "nobody's" }, -32001],
    ["SubscribeToTask", { id: "nobody's" }, -32001],
  ])("is answered with 200 in other versions: %s", async (method, params, code) => {
    const answer = await send(server.url, "POST /", rpc(method, params));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(String(code));
  });
});

describe("the push configuration of a task of 0.1", () => {
  it("is null where there is none", async () => {
    await using pushing = await openServer({
      agent: agent({ ...definition, capabilities: { pushNotifications: true } }),
    });
    gate.open();
    await call(pushing.url, "tasks/send", sayOldest("t1", "go"));
    const read = () => call(pushing.url, "tasks/pushNotification/get", { id: "t1" });
    expect((await read()).result).toStrictEqual({ id: "t1", pushNotificationConfig: null });

    const config = { url: "https://example.com/hook" };
    await call(pushing.url, "tasks/pushNotification/set", {
      id: "t1",
      pushNotificationConfig: config,
    });
    expect((await read()).result).toMatchObject({ id: "t1", pushNotificationConfig: config });

    const missing = await call(pushing.url, "tasks/pushNotification/get", { id: "nobody's" });
    expect(missing.error).toMatchObject({ code: -32001 });
    const later = await call(pushing.url, "tasks/pushNotificationConfig/get", {
      id: "t1",
      pushNotificationConfigId: "other",
    });
    expect(later.error).toMatchObject({ code: -32001 });
  });
});
