import type { ServeOptions } from "@parley/a2a/node";
import type { Telemetry } from "./subject.js";

/** The options of a server with some kind of telemetry. */
export async function telemetryOf(kind: Telemetry | undefined): Promise<Partial<ServeOptions>> {
  if (kind === undefined) return {};
  if (kind === "off") return { telemetry: {} };
  if (kind === "metrics") return { metrics: { port: 0 } };
  if (kind === "storage") {
    const { AsyncLocalStorage } = await import("node:async_hooks");
    new AsyncLocalStorage<boolean>().run(true, () => undefined);
    return {};
  }
  return openTelemetry(kind === "sampled" ? 0.1 : 0);
}

/** OpenTelemetry that samples a share of the calls, in batches, for an exporter that drops them. */
async function openTelemetry(share: number): Promise<Partial<ServeOptions>> {
  const { context } = await import("@opentelemetry/api");
  const { AsyncLocalStorageContextManager } = await import("@opentelemetry/context-async-hooks");
  const sdk = await import("@opentelemetry/sdk-trace-base");
  const { createOtelTelemetry } = await import("@parley/a2a/otel");
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const exporter = {
    export: (_: unknown, done: (result: { code: number }) => void) => done({ code: 0 }),
    shutdown: async () => undefined,
  };
  const tracerProvider = new sdk.BasicTracerProvider({
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  return { telemetry: createOtelTelemetry({ tracerProvider }) };
}
