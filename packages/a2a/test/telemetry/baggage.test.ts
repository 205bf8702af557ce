import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { agent } from "@parley/a2a";
import type { Credentials } from "@parley/a2a/auth";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { connectOver, interfaces } from "../client/open-agent.js";
import { authenticatorOf } from "../support/auth/authenticator-of.js";
import { openReceiver } from "../support/servers/open-receiver.js";
import type { Receiver } from "../support/servers/open-receiver.js";
import { recordSpans } from "./record-spans.js";
import type { RecordedSpans } from "./record-spans.js";

const canary = "canary-in-the-baggage";
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const headers = {
  traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
  tracestate: "vendor=1",
  baggage: `tenant.tier=${canary}`,
};

let recorded: RecordedSpans;
let receiver: Receiver;
let second: Server;
let first: Server;
let over = interfaces[0]!;
const store = createMemoryStore();
/** What arrives at both agents, by the name of the agent. */
const arrived: (readonly [agent: string, baggage: unknown, traceparent: unknown])[] = [];

/** Notes what a call brings along, over whatever binding it comes. */
function noting(name: string) {
  return authenticatorOf(async (shown: Credentials) => {
    arrived.push([name, shown.header("baggage"), shown.header("traceparent")]);
    return { subject: "ann" };
  });
}

beforeAll(async () => {
  recorded = recordSpans();
  const { telemetry } = recorded;
  const options = { port: 0, grpc: { port: 0 }, telemetry } as const;
  const search = agent({ name: "Search", description: "Finds", run: ({ text }) => text });
  second = await serve(search, { ...options, store: createMemoryStore(), auth: noting("second") });
  const planner = agent({
    name: "Planner",
    description:
      "Asks another agent, twice: with its own trace, and with the one it is told to use",
    capabilities: { pushNotifications: true, streaming: true },
    async *run({ text, step, trace }) {
      yield "Looking. ";
      const { grpcAddress, url } = second;
      yield await step("search", async () =>
        (await connectOver(url, over, { telemetry, grpcAddress })).text(text),
      );
      const plain = await connectOver(url, over, { grpcAddress });
      yield await plain.text(text, { ...(trace && { trace }) });
    },
  });
  const push = { allowPrivate: true, schemes: ["http"] } as const;
  first = await serve(planner, { ...options, store, push, auth: noting("first") });
  receiver = await openReceiver();
});
beforeEach(() => void arrived.splice(0));
afterAll(async () => {
  await first.close();
  await second.close();
  await receiver[Symbol.asyncDispose]();
  recorded[Symbol.dispose]();
});

it.each(interfaces)(
  "baggage that comes over %s %s is neither stored nor passed on, while the trace is",
  async (binding, version) => {
    over = [binding, version];
    const caller = await connectOver(first.url, over, {
      headers,
      grpcAddress: first.grpcAddress,
    });
    const before = receiver.received.length;
    await caller.send("a flight", { taskPushNotificationConfig: { url: receiver.url } });
    const of = (name: string) => arrived.filter(([agentName]) => agentName === name);
    const brought = of("first").map(([, baggage]) => baggage);
    expect(brought, "it came").toContain(headers.baggage);
    const calls = of("second").filter(([, , traceparent]) => traceparent !== undefined);
    expect(calls.length, "both calls").toBeGreaterThanOrEqual(2);
    for (const [, baggage, traceparent] of calls) {
      expect(baggage).toBeUndefined();
      expect(String(traceparent)).toContain(traceId);
    }
    const pushed = await receiver.until(before + 1);
    expect(pushed.at(-1)?.headers["traceparent"]).toBeDefined();
    const told = pushed.map((one) => JSON.stringify(one.headers) + one.body.toString());
    expect(told.join()).not.toContain(canary);
    const { tasks } = await store.list({ agent: "Planner", limit: 1 });
    const taskId = tasks[0]?.record.taskId ?? "";
    const log = JSON.stringify(await store.read(taskId, 0, 1000));
    expect(log, "the trace is stored").toContain(traceId);
    expect(log).not.toContain(canary);
    const shown = recorded
      .all()
      .map(({ name, attributes, events }) => ({ name, attributes, events }));
    expect(JSON.stringify(shown)).not.toContain(canary);
  },
);
