import type { TraceContext } from "../call-context.js";

/** On which side of a call the work is done. */
export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

/** What an attribute can say. */
export type AttributeValue = string | number | boolean | readonly string[];

/** What is known of a span. Names are those of the OpenTelemetry conventions. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** How a span begins. */
export interface SpanOptions {
  readonly kind?: SpanKind;
  /** What the span is a part of. Absent: the span joins the trace of the code that runs now, or begins one. */
  readonly parent?: TraceContext;
  /** Begins a trace, whatever runs now. */
  readonly isRoot?: boolean;
  /** What led to the span without waiting for it. */
  readonly links?: readonly TraceContext[];
  readonly attributes?: Attributes;
}

/** Work that takes time, as a trace shows it. */
export interface Span {
  /** What others need to continue the trace, also in another process. Absent where nobody has installed what makes traces. */
  readonly context: TraceContext | undefined;
  /** False where nobody will see the span: attributes need not be made. */
  readonly isRecording: boolean;
  set(attributes: Attributes): void;
  /** Something else that led to the span. */
  link(context: TraceContext): void;
  /** Something that happened within the span. */
  event(name: string, attributes?: Attributes): void;
  /** The work has failed. Shows the kind of the error and none of its words, which may be a caller's. The span still has to end. */
  fail(error: unknown): void;
  end(): void;
  /** Calls a function whose spans, also those of other libraries, become parts of this one. */
  within<T>(work: () => T): T;
  /** The work goes on in a later span: from now on that one gets the spans of what was called within this one. */
  goOnIn(later: Span): void;
}

/** Begins spans. */
export interface Tracer {
  startSpan(name: string, options?: SpanOptions): Span;
  /** The trace that the code that runs now is part of. */
  active(): TraceContext | undefined;
}
