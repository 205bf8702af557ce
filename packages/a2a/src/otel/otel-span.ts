import { context, isSpanContextValid, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Attributes as OtelAttributes, Context, Span as Inner } from "@opentelemetry/api";
import { attribute, errorTypeOf } from "../protocol/tracing/internal.js";
import type { Attributes, Span, TraceContext } from "../protocol/internal.js";
import { ActiveSpan } from "./active-span.js";
import { LocalTrace, toSpanContext } from "./span-context.js";

/** A span of OpenTelemetry. */
export class OtelSpan implements Span {
  readonly isRecording: boolean;
  readonly #inner: Inner;
  readonly #around: Context;
  #active: ActiveSpan | undefined;
  #context: TraceContext | undefined;

  /** Where it goes on with a span that nobody will see, its trace context is that of that span. */
  constructor(inner: Inner, around: Context, known?: TraceContext) {
    this.#inner = inner;
    this.#around = around;
    this.#context = known;
    this.isRecording = inner.isRecording();
  }

  get context(): TraceContext | undefined {
    return (this.#context ??= this.#readContext());
  }

  set(attributes: Attributes): void {
    this.#inner.setAttributes(attributes as OtelAttributes);
  }

  link(linked: TraceContext): void {
    this.#inner.addLink({ context: toSpanContext(linked) });
  }

  event(name: string, attributes?: Attributes): void {
    this.#inner.addEvent(name, attributes as OtelAttributes | undefined);
  }

  fail(error: unknown): void {
    this.#inner.setAttribute(attribute.errorType, errorTypeOf(error));
    this.#inner.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.#inner.end();
  }

  within<T>(work: () => T): T {
    this.#active ??= new ActiveSpan(this.#inner);
    return context.with(trace.setSpan(this.#around, this.#active), work);
  }

  goOnIn(later: Span): void {
    if (this.#active === undefined || !(later instanceof OtelSpan)) return;
    this.#active.current = later.#inner;
    later.#active = this.#active;
  }

  #readContext(): TraceContext | undefined {
    const found = this.#inner.spanContext();
    if (!isSpanContextValid(found)) return undefined;
    return new LocalTrace(found, this.isRecording);
  }
}
