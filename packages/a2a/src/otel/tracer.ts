import { context, isSpanContextValid, ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";
import type { Context, SpanOptions as OtelOptions, Tracer as OtelTracer } from "@opentelemetry/api";
import type { SpanOptions, Span, TraceContext, Tracer } from "../protocol/internal.js";
import { LocalTrace, toSpanContext } from "./span-context.js";
import { OtelSpan } from "./otel-span.js";

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** Begins spans of OpenTelemetry. */
export function createTracer(otel: OtelTracer): Tracer {
  return {
    startSpan(name, options = {}): Span {
      const { kind = "internal", parent, links, attributes } = options;
      const around = surroundings(options);
      const above = parent && toSpanContext(parent);
      // The parts of what nobody will see need no spans. They still belong to it.
      if (above !== undefined && parent?.isUnseen === true) {
        return new OtelSpan(trace.wrapSpanContext(above), around, parent);
      }
      const begin: OtelOptions = { kind: kinds[kind] };
      if (attributes !== undefined) begin.attributes = attributes as Record<string, string>;
      if (links !== undefined) begin.links = links.map((one) => ({ context: toSpanContext(one) }));
      const place = above === undefined ? around : trace.setSpanContext(around, above);
      return new OtelSpan(otel.startSpan(name, begin, place), around);
    },
    active: () => activeTrace(context.active()),
  };
}

/**
 * What a span begins in. A server goes on with several requests together, so what runs when a call or a run begins may
 * belong to another caller, and so may what is known there.
 */
function surroundings({ kind, isRoot = false }: SpanOptions): Context {
  return isRoot || kind === "server" ? ROOT_CONTEXT : context.active();
}

function activeTrace(active: Context): TraceContext | undefined {
  const found = trace.getSpanContext(active);
  return found !== undefined && isSpanContextValid(found) ? new LocalTrace(found, true) : undefined;
}
