import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { expect, it } from "vitest";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { createOtelTelemetry } from "@parley/a2a/otel";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { prometheusName } from "../../src/node/metrics/exposition.js";
import { instruments } from "../../src/protocol/telemetry/internal.js";
import { rpc, say, send } from "../support/clients/http-client.js";
import { readSamples, scrape, valueOf } from "./read-samples.js";

it("OpenTelemetry gets the values that are at /metrics, with units, attributes and bounds", async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const echo = agent({ name: "Echo", description: "Echoes", run: ({ text }) => text });
  await using server = await serve(echo, {
    port: 0,
    store: createMemoryStore(),
    metrics: { port: 0 },
    telemetry: createOtelTelemetry({ meterProvider }),
    report: () => undefined,
    // Nothing happens by itself meanwhile.
    settings: { leaseMs: 600_000 },
  });
  await send(server.url, "POST /", rpc("SendMessage", say("hello")));
  const samples = readSamples(await scrape(server.metricsUrl));
  await reader.forceFlush();
  const exported = exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
  const find = (name: string) => exported.find(({ descriptor }) => descriptor.name === name);
  const { serverRequests, serverDuration, runLimit } = instruments;
  expect(find(serverRequests.name)?.dataPoints).toMatchObject([
    {
      value: 1,
      attributes: {
        "a2a.method.name": "SendMessage",
        "a2a.protocol.version": "1.0",
        "a2a.protocol.binding": "JSONRPC",
      },
    },
  ]);
  expect(find(serverDuration.name)).toMatchObject({
    descriptor: { unit: "s", description: serverDuration.description },
    dataPoints: [{ value: { count: 1, buckets: { boundaries: serverDuration.bounds } } }],
  });
  expect(find(runLimit.name)?.dataPoints[0]?.value).toBe(valueOf(samples, "parley_run_limit"));
  // What is read from the process itself, or from the time, differs from look to look.
  const isSteady = (name: string): boolean =>
    !/^(?:nodejs|v8js|process)\.|lease\.remaining/.test(name);
  const steady = Object.values(instruments).filter(({ name }) => isSteady(name));
  const points = steady.flatMap((instrument) => {
    const sample = prometheusName(instrument) + (instrument.kind === "histogram" ? "_count" : "");
    return (find(instrument.name)?.dataPoints ?? []).map(({ attributes, value }) => ({
      sample,
      value: typeof value === "number" ? value : value.count,
      labels: labelsOf(attributes),
    }));
  });
  expect(points.length).toBeGreaterThan(15);
  for (const { sample, labels, value } of points) {
    expect(valueOf(samples, sample, labels), `${sample} ${JSON.stringify(labels)}`).toBe(value);
  }
  // And nothing that was counted is at /metrics alone. What was not, OpenTelemetry does not export.
  const exportedNames = new Set(points.map(({ sample }) => sample));
  const alone = steady
    .map((instrument) => prometheusName(instrument))
    .filter((name) =>
      samples.some((one) => one.name.replace(/_count$/, "") === name && one.value !== 0),
    )
    .filter((name) => !exportedNames.has(name) && !exportedNames.has(`${name}_count`));
  expect(alone).toEqual([]);
  await meterProvider.shutdown();
});

/** Attributes as Prometheus names them. One that is empty is none. */
function labelsOf(attributes: Readonly<Record<string, unknown>>): Record<string, string> {
  const pairs = Object.entries(attributes).filter(([, value]) => value !== "");
  return Object.fromEntries(
    pairs.map(([name, value]) => [name.replaceAll(/[^a-zA-Z\d_]/g, "_"), String(value)]),
  );
}
