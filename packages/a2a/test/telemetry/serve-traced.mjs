/**
 * A node whose runs do a step and then never end, until its process is killed. Tells its URL, and the span of each call and
 * run. Usage: fork(serve-traced.mjs, [file of the store, leaseMs])
 */
import process from "node:process";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { createOtelTelemetry } from "@parley/a2a/otel";

const [, , store, leaseMs] = process.argv;
const begun = {
  onStart: (span) => process.send({ name: span.name, ...span.spanContext() }),
  onEnd: () => undefined,
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
};
const tracerProvider = new BasicTracerProvider({ spanProcessors: [begun] });
const endless = agent({
  name: "Endless",
  description: "Does a step, and then nothing more",
  durable: true,
  async *run({ step }) {
    yield "begun";
    await step("first", () => 1);
    process.send({ name: "done" });
    await new Promise(() => undefined);
  },
});
const { url } = await serve(endless, {
  port: 0,
  store,
  telemetry: createOtelTelemetry({ tracerProvider }),
  settings: { leaseMs: Number(leaseMs) },
});
process.send({ name: "serves", url });
