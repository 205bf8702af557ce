import { expect, it } from "vitest";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { createInProcessBus } from "../../src/bus/index.js";
import type { Log } from "../../src/protocol/internal.js";
import type { Handler } from "../../src/server/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { stateOf, taskOf } from "../support/runtime/answers.js";
import { call, openTestRuntime, say as said } from "../support/runtime/open-test-runtime.js";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const headers = {
  "Content-Type": "application/json",
  "A2A-Version": "1.0",
  "X-Request-Id": "request-7",
  traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
  baggage: "secret=canary",
};

async function callOf(method: string, params: object, isBroken = false) {
  const lines: Record<string, unknown>[] = [];
  const store = createMemoryStore();
  let seen: unknown;
  const failing = agent({
    name: "Failing",
    description: "Fails",
    run(context) {
      seen = context.trace;
      throw new Error("a mistake");
    },
  });
  const write = (line: string): void =>
    void lines.push(JSON.parse(line) as Record<string, unknown>);
  if (isBroken) store.list = () => Promise.reject(new Error("a broken list"));
  await using server = await serve(failing, {
    port: 0,
    store,
    log: { format: "json", level: "warn", write },
  });
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = await (await fetch(server.url, { method: "POST", headers, body })).text();
  return { lines, answer, seen };
}

it("an internal error is logged once, under the reference that its caller gets, with the request and its trace", async () => {
  const { lines, answer } = await callOf("ListTasks", {}, true);
  expect(lines).toMatchObject([
    { event: "call.failed", requestId: "request-7", trace_id: traceId },
  ]);
  expect(answer).toContain(lines[0]?.["reference"]);
});

it("the failure of a run names the request that began it and the trace that it is part of, and baggage goes nowhere", async () => {
  const parts = [{ text: "hello" }];
  const message = { messageId: "m", role: "ROLE_USER", parts };
  const { lines, answer, seen } = await callOf("SendMessage", { message });
  expect(lines).toMatchObject([{ event: "run.failed", requestId: "request-7", trace_id: traceId }]);
  expect(seen).toMatchObject({ traceparent: headers.traceparent });
  expect(JSON.stringify([lines, answer, seen])).not.toContain("canary");
});

it.each([
  ["goes on in memory", false],
  ["is begun again on another node", true],
])("the failure of a run that %s names the request that began it", async (_, isKilled) => {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  const bus = createInProcessBus();
  const lines: (readonly [event: string, requestId: unknown])[] = [];
  const log: Log = (_level, event, { requestId } = {}) => void lines.push([event, requestId]);
  const settings = { leaseMs: 12_000, suspendForMs: 600_000, takeUpMs: 1000 };
  const run: Handler = async ({ ask }) => {
    await ask("Where to?");
    throw new Error("a mistake");
  };
  const open = () =>
    openTestRuntime({ run, store, clock, bus, durable: true, settings, telemetry: { log } });
  await using one = await open();
  await using two = await open();
  const asked = await one.service.sendMessage(said("hi"), call({ requestId: "request-1" }));
  const { id: taskId } = taskOf(asked);
  if (isKilled) one.freeze();
  const service = isKilled ? two.service : one.service;
  const answer = service.sendMessage(said("Rome", { taskId }), call({ requestId: "request-2" }));
  await clock.advance(20_000);
  expect(stateOf(taskOf(await answer))).toBe("failed");
  expect(lines).toContainEqual(["run.failed", "request-1"]);
});

it("the failure of an extension's method names its request and its trace", async () => {
  const uri = "https://acme.example/quotes/v1";
  const lines: unknown[] = [];
  const log: Log = (_level, event, { requestId, trace, reference } = {}) =>
    void lines.push({ event, requestId, trace, hasReference: reference !== undefined });
  await using runtime = await openTestRuntime({
    run: () => "x",
    extensions: [{ uri, methods: { "acme/odd": () => ({ n: 1n }) } }],
    telemetry: { log },
  });
  const trace = { traceparent: headers.traceparent };
  const context = call({ extensions: [uri], requestId: "request-3", trace });
  const answer = runtime.service.callMethod({ method: "acme/odd" }, context);
  await expect(answer).rejects.toMatchObject({ code: "INVALID_AGENT_RESPONSE" });
  const found = { event: "call.failed", requestId: "request-3", trace, hasReference: true };
  expect(lines).toEqual([found]);
});
