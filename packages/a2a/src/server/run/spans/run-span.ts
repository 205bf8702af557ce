import type { Span, TaskState, TraceContext } from "../../../protocol/internal.js";
import { attribute, spanEvent } from "../../../protocol/tracing/internal.js";
import type { RunBegin } from "./run-begin.js";
import type { RunSpans } from "./run-spans.js";

/** The spans of one activation: one until its handler waits for an answer, and one for each time it goes on. */
export class RunSpan {
  readonly #spans: RunSpans;
  readonly #begin: RunBegin;
  #span: Span;
  /** The one in which the handler goes on, once it is known that it does. */
  #next: Span | undefined;
  #told = 0;
  #isOver = false;

  constructor(spans: RunSpans, begin: RunBegin) {
    this.#spans = spans;
    this.#begin = begin;
    this.#span = spans.start(begin);
  }

  /** What the handler, and others on its behalf, continue. */
  get context(): TraceContext | undefined {
    return this.#span.context;
  }

  /** What the log keeps of it; nothing of a span that nobody will see. */
  get stored(): TraceContext | undefined {
    return storedOf(this.#span);
  }

  /** Calls the handler. */
  within<T>(work: () => T): T {
    return this.#span.within(work);
  }

  startStep(name: string): Span {
    return this.#spans.startStep(name, this.#span.context);
  }

  /** The handler has told something. */
  told(): void {
    this.#told += 1;
    if (this.#told === 1) this.#span.event(spanEvent.first);
  }

  asked(): void {
    this.#span.event(spanEvent.ask);
  }

  fail(error: unknown): void {
    this.#span.fail(error);
  }

  /** The run ends its task, or its part of it, in a state. */
  closes(state: TaskState): void {
    if (this.#span.isRecording) this.#span.set({ [attribute.taskState]: state });
  }

  /** The handler waits for an answer, or its run is over. */
  end(hasTask: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const span = this.#span;
    if (span.isRecording) {
      const { publicId } = this.#begin.identity;
      span.set({
        [attribute.events]: this.#told,
        ...(hasTask && { [attribute.taskId]: publicId }),
      });
    }
    span.end();
  }

  /** The handler has its answer, or soon will, and goes on in a span of its own. Returns what the log keeps of that one. */
  prepare(): TraceContext | undefined {
    this.#next ??= this.#spans.start({
      ...this.#begin,
      reason: "answer",
      wokenBy: undefined,
      before: this.#span.context,
      isAwaited: false,
    });
    return storedOf(this.#next);
  }

  /** The handler goes on after its wait, with the answer that this call has brought. */
  goOn(wokenBy: TraceContext | undefined): void {
    this.prepare();
    const next = this.#next ?? this.#span;
    this.end(true);
    if (wokenBy !== undefined) next.link(wokenBy);
    this.#span.goOnIn(next);
    this.#span = next;
    this.#next = undefined;
    this.#told = 0;
    this.#isOver = false;
  }
}

function storedOf({ isRecording, context }: Span): TraceContext | undefined {
  if (!isRecording || context === undefined) return undefined;
  const { traceparent, tracestate } = context;
  return { traceparent, ...(tracestate !== undefined && { tracestate }) };
}
