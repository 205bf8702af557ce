import { createTraceState } from "@opentelemetry/api";
import type { SpanContext } from "@opentelemetry/api";
import type { TraceContext } from "../protocol/internal.js";

/** The trace context of a span of this process. Written out when somebody sends or stores it. */
export class LocalTrace implements TraceContext {
  readonly spanContext: SpanContext;
  declare readonly tracestate?: string;
  declare readonly isUnseen?: true;
  #traceparent: string | undefined;

  constructor(spanContext: SpanContext, isSeen: boolean) {
    this.spanContext = spanContext;
    const tracestate = spanContext.traceState?.serialize();
    if (tracestate) this.tracestate = tracestate;
    if (!isSeen) this.isUnseen = true;
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.spanContext;
    const flags = (traceFlags & 0xff).toString(16).padStart(2, "0");
    return (this.#traceparent ??= `00-${traceId}-${spanId}-${flags}`);
  }
}

/** OpenTelemetry's form of a trace context. */
export function toSpanContext(trace: TraceContext): SpanContext {
  if (trace instanceof LocalTrace) return trace.spanContext;
  const { traceparent, tracestate } = trace;
  return {
    traceId: traceparent.slice(3, 35),
    spanId: traceparent.slice(36, 52),
    traceFlags: Number.parseInt(traceparent.slice(53, 55), 16),
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  };
}
