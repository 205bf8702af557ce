import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agent } from "@parley/a2a";
import type { RemoteAgent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { connectOver, interfaces } from "../client/open-agent.js";
import { lineOf, recordSpans, traceOf } from "./record-spans.js";
import type { RecordedSpans } from "./record-spans.js";

let recorded: RecordedSpans;
let second: Server;
let first: Server;
/** How the first agent calls the second. */
let over: (typeof interfaces)[number] = interfaces[0]!;

const options = { port: 0, grpc: { port: 0 } } as const;

const searcher = agent({
  name: "Searcher",
  description: "Finds what it is asked for",
  async *run({ text }) {
    yield `found ${text}`;
  },
});

const planner = agent({
  name: "Planner",
  description: "Asks another agent",
  async *run({ text, step }) {
    yield "Looking. ";
    yield await step("search", async () => (await callSecond()).text(text));
  },
});

function callSecond(): Promise<RemoteAgent> {
  const { telemetry } = recorded;
  return connectOver(second.url, over, { telemetry, grpcAddress: second.grpcAddress });
}

beforeAll(async () => {
  recorded = recordSpans();
  const { telemetry } = recorded;
  second = await serve(searcher, { ...options, telemetry, store: createMemoryStore() });
  first = await serve(planner, { ...options, telemetry, store: createMemoryStore() });
});
beforeEach(() => recorded.clear());
afterAll(async () => {
  await first.close();
  await second.close();
  recorded[Symbol.dispose]();
});

/** The spans of one call to an agent that streams, from its run up. */
function callOf(name: string, binding: string): readonly string[] {
  return [
    `INTERNAL run ${name}`,
    "SERVER SendStreamingMessage",
    // Over gRPC there is no HTTP span beside that of the call.
    ...(binding === "GRPC" ? [] : ["SERVER POST"]),
    "CLIENT SendStreamingMessage",
  ];
}

describe.each(interfaces)("over %s %s", (binding, version) => {
  it("one trace runs from the caller through an agent, its run and its step to a second agent", async () => {
    over = [binding, version];
    const { telemetry, provider } = recorded;
    const caller = await connectOver(first.url, over, {
      telemetry,
      grpcAddress: first.grpcAddress,
    });
    recorded.clear();
    const program = provider.getTracer("test").startSpan("program");
    const { traceId, spanId } = program.spanContext();
    const trace = { traceparent: `00-${traceId}-${spanId}-01` };
    expect(await caller.text("a flight", { trace })).toContain("found a flight");
    program.end();
    // A server ends its spans when its caller has the answer already.
    const outermost = binding === "GRPC" ? "SendStreamingMessage" : "POST";
    await expect.poll(() => recorded.named(outermost, "SERVER").filter(isCall)).toHaveLength(2);
    const spans = recorded.all();
    const last = recorded.one("run Searcher");
    expect(lineOf(last, spans)).toEqual([
      ...callOf("Searcher", binding),
      "INTERNAL step search",
      ...callOf("Planner", binding),
      "INTERNAL program",
    ]);
    expect(traceOf(last)).toBe(traceId);
    const calls = recorded.named("SendStreamingMessage", "CLIENT");
    const versions = calls.map(({ attributes }) => attributes["a2a.protocol.version"]);
    expect(versions).toEqual([version, version]);
  });
});

/** A request for a card is a span, too. */
function isCall({ attributes }: { readonly attributes: Record<string, unknown> }): boolean {
  return !String(attributes["url.path"]).includes("well-known");
}
