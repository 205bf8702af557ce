import { context, SpanKind } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { ReadableSpan, Sampler } from "@opentelemetry/sdk-trace-base";
import type { Telemetry } from "@parley/a2a";
import { createOtelTelemetry } from "@parley/a2a/otel";

/** The spans that a program makes, over OpenTelemetry's own SDK. */
export interface RecordedSpans extends Disposable {
  readonly telemetry: Telemetry;
  readonly provider: BasicTracerProvider;
  /** Spans that have ended, in that order. */
  all(): readonly ReadableSpan[];
  /** The only span of this name and kind. Throws if there are more or fewer. */
  one(name: string, kind?: keyof typeof SpanKind): ReadableSpan;
  named(name: string, kind?: keyof typeof SpanKind): readonly ReadableSpan[];
  clear(): void;
}

/** A program has one manager of contexts, for all who record. */
let recorders = 0;

export function recordSpans(sampler: Sampler = new AlwaysOnSampler()): RecordedSpans {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  const provider = new BasicTracerProvider({ sampler, spanProcessors });
  if (recorders === 0) {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  }
  recorders += 1;
  const all = (): readonly ReadableSpan[] => exporter.getFinishedSpans();
  const named = (name: string, kind?: keyof typeof SpanKind): readonly ReadableSpan[] =>
    all().filter(
      (span) => span.name === name && (kind === undefined || span.kind === SpanKind[kind]),
    );
  return {
    telemetry: createOtelTelemetry({ tracerProvider: provider }),
    provider,
    all,
    named,
    one(name, kind) {
      const [first, ...others] = named(name, kind);
      if (first !== undefined && others.length === 0) return first;
      throw new Error(`${others.length + (first ? 1 : 0)} spans ${name} among ${namesOf(all())}`);
    },
    clear: () => exporter.reset(),
    [Symbol.dispose]() {
      recorders -= 1;
      if (recorders === 0) context.disable();
    },
  };
}

function namesOf(spans: readonly ReadableSpan[]): string {
  return spans.map(({ name, kind }) => `${SpanKind[kind]} ${name}`).join(", ");
}

/** The span and those above it, from the span up. */
export function lineOf(span: ReadableSpan, spans: readonly ReadableSpan[]): readonly string[] {
  const label = `${SpanKind[span.kind]} ${span.name}`;
  const above = spans.find(
    (one) =>
      one.spanContext().spanId === span.parentSpanContext?.spanId &&
      one.spanContext().traceId === span.spanContext().traceId,
  );
  return above === undefined ? [label] : [label, ...lineOf(above, spans)];
}

/** The ids of the spans that a span links to. */
export function linksOf({ links }: ReadableSpan): readonly string[] {
  return links.map(({ context: linked }) => linked.spanId);
}

export function idOf(span: ReadableSpan): string {
  return span.spanContext().spanId;
}

export function traceOf(span: ReadableSpan): string {
  return span.spanContext().traceId;
}
