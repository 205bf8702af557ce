import { metrics, trace } from "@opentelemetry/api";
import type { MeterProvider, TracerProvider } from "@opentelemetry/api";
import type { Telemetry } from "../protocol/internal.js";
import { createMetrics } from "./metrics.js";
import { createTracer } from "./tracer.js";

/** Where OpenTelemetry's own parts come from. */
export interface OtelOptions {
  /** Begins the spans; the global one when absent. */
  readonly tracerProvider?: TracerProvider;
  /** Takes the metrics; the global one when absent. */
  readonly meterProvider?: MeterProvider;
}

/**
 * Telemetry over OpenTelemetry, for `serve`, `openRuntime` and `connect`. Register an SDK before you call it: without one
 * nothing is seen, and trace contexts of callers are still passed on.
 *
 * @example
 * await serve(agent, { telemetry: createOtelTelemetry() });
 */
export function createOtelTelemetry(options: OtelOptions = {}): Telemetry {
  const { tracerProvider = trace, meterProvider = metrics } = options;
  return {
    tracer: createTracer(tracerProvider.getTracer("@parley/a2a")),
    metrics: createMetrics(meterProvider.getMeter("@parley/a2a")),
  };
}
