import type { Span, SpanOptions, TraceContext, Tracer } from "../../../protocol/internal.js";
import { attribute, spanName } from "../../../protocol/tracing/internal.js";
import type { RunBegin } from "./run-begin.js";

/** Begins the spans of an agent's runs. */
export class RunSpans {
  readonly #tracer: Tracer;
  readonly #agent: string;
  readonly #name: string;
  readonly #slot: () => number | undefined;

  constructor(tracer: Tracer, agent: string, slot: () => number | undefined) {
    this.#tracer = tracer;
    this.#agent = agent;
    this.#name = spanName.run(agent);
    this.#slot = slot;
  }

  start(begin: RunBegin): Span {
    const { identity, reason, run, attempt, isAwaited, wokenBy } = begin;
    if (isAwaited === true && wokenBy?.isUnseen === true) {
      // Nobody will see what it is about.
      return this.#tracer.startSpan(this.#name, { parent: wokenBy });
    }
    const slot = this.#slot();
    return this.#tracer.startSpan(this.#name, {
      ...this.#place(begin),
      attributes: {
        [attribute.agentName]: this.#agent,
        [attribute.conversation]: identity.contextId,
        [attribute.runNumber]: run,
        [attribute.runAttempt]: attempt,
        [attribute.runReason]: reason,
        ...(slot !== undefined && { [attribute.nodeSlot]: slot }),
      },
    });
  }

  startStep(name: string, parent: TraceContext | undefined): Span {
    return this.#tracer.startSpan(spanName.step(name), {
      ...(parent !== undefined && { parent }),
      attributes: { [attribute.stepName]: name },
    });
  }

  /** A run that nobody waits for outlives its call: it is a trace of its own, with links to what led to it. */
  #place({ isAwaited = false, wokenBy, before }: RunBegin): SpanOptions {
    const earlier = before === undefined ? [] : [before];
    if (!isAwaited || wokenBy?.isUntrusted === true) {
      const caller = wokenBy ?? this.#tracer.active();
      return { isRoot: true, links: caller === undefined ? earlier : [caller, ...earlier] };
    }
    return { links: earlier, ...(wokenBy !== undefined && { parent: wokenBy }) };
  }
}
