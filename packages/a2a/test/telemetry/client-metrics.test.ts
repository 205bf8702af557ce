import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { connectOver, interfaces } from "../client/open-agent.js";
import { createNodeMetrics } from "./read-registry.js";

let server: Server;

beforeAll(async () => {
  const words = agent({
    name: "Words",
    description: "Says two words",
    async *run() {
      yield "a ";
      yield "b";
    },
  });
  server = await serve(words, { port: 0, grpc: { port: 0 }, store: createMemoryStore() });
});
afterAll(() => server.close());

describe.each(interfaces)("over %s %s", (binding, version) => {
  it("a client counts its calls by method, version, binding and error, and times them", async () => {
    const { metrics, value } = createNodeMetrics();
    const caller = await connectOver(server.url, [binding, version], {
      telemetry: { metrics },
      grpcAddress: server.grpcAddress,
    });
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hello" }] } as const;
    await caller.service.sendMessage({ message });
    for await (const _ of caller.stream("hello")) void _;
    for (let count = 0; count < 2; count += 1) {
      await expect(caller.service.getTask({ id: "nobody-has-it" })).rejects.toThrow();
    }
    const of = (a2a_method_name: string) => ({ a2a_method_name, a2a_protocol_binding: binding });
    const counted = (method: string, more: Record<string, string> = {}): number | undefined =>
      value("a2a_client_requests_total", {
        ...of(method),
        a2a_protocol_version: version,
        ...more,
      });
    expect(counted("SendMessage")).toBe(1);
    expect(counted("SendStreamingMessage")).toBe(1);
    expect(counted("GetTask", { error_type: "TASK_NOT_FOUND" })).toBe(2);
    expect(value("a2a_client_requests_total"), "all of them").toBe(4);
    const duration = "a2a_client_request_duration_seconds";
    const timed = ["SendMessage", "SendStreamingMessage", "GetTask"].map((method) =>
      value(`${duration}_count`, of(method)),
    );
    expect(timed).toEqual([1, 1, 2]);
    expect(value(`${duration}_sum`, of("SendMessage"))).toBeGreaterThan(0);
    // What a client counts is not what a server counts.
    expect(value("a2a_server_requests_total")).toBeUndefined();
  });
});

it("a server shows how many connections its store has, by what they do", async () => {
  const { metrics, value } = createNodeMetrics();
  const figures = { used: 2, idle: 3, pending: 1 };
  const store = { ...createMemoryStore(), connections: () => figures };
  const echo = agent({ name: "Echo", description: "Echoes", run: ({ text }) => text });
  const shown = (): readonly (number | undefined)[] =>
    (["used", "idle", "pending"] as const).map((state) =>
      value("db_client_connection_count", { db_client_connection_state: state }),
    );
  {
    await using _ = await serve(echo, { port: 0, store, telemetry: { metrics } });
    expect(shown()).toEqual([2, 3, 1]);
    figures.pending = 7;
    expect(shown()).toEqual([2, 3, 7]);
  }
  expect(shown(), "after the server has stopped").toEqual([undefined, undefined, undefined]);
});
