import { atTurnsEnd } from "../../async/internal.js";
import type { Clock } from "../../async/internal.js";
import { attribute, spanName } from "../../protocol/tracing/internal.js";
import type { Span, TraceContext, Tracer } from "../../protocol/internal.js";

/** With how many runs one span shows that they share a commit. */
const maxRuns = 8;

/** The names that the conventions give to stores. */
const systems: Readonly<Record<string, string>> = { postgres: "postgresql" };

/** The appends of one turn of the event loop, which stores commit together. */
interface Group {
  readonly span: Span;
  readonly runs: Set<string>;
  appends: number;
  underWay: number;
  isClosed: boolean;
}

/**
 * The spans of commits: one for all appends of a turn, and only where a run among them is seen. It is part of the first
 * such run, and links to the others.
 */
export class CommitSpans {
  readonly #tracer: Tracer;
  readonly #system: string;
  readonly #clock: Clock;
  #group: Group | undefined;

  constructor(tracer: Tracer, { store, clock }: { readonly store: string; readonly clock: Clock }) {
    const [system = ""] = store.split(" ");
    this.#tracer = tracer;
    this.#system = systems[system] ?? system;
    this.#clock = clock;
  }

  /** An append of a run that is seen. Returns what to call when it is committed, or has failed. */
  begin(run: TraceContext): (error?: unknown) => void {
    const group = (this.#group ??= this.#open(run));
    group.appends += 1;
    group.underWay += 1;
    if (group.runs.size < maxRuns && !group.runs.has(run.traceparent)) {
      group.runs.add(run.traceparent);
      group.span.link(run);
    }
    return (error) => {
      if (error !== undefined) group.span.fail(error);
      group.underWay -= 1;
      end(group);
    };
  }

  #open(run: TraceContext): Group {
    const span = this.#tracer.startSpan(spanName.append, {
      kind: "client",
      parent: run,
      attributes: {
        [attribute.dbSystem]: this.#system,
        [attribute.dbOperation]: spanName.append,
      },
    });
    const runs = new Set([run.traceparent]);
    const group: Group = { span, runs, appends: 0, underWay: 0, isClosed: false };
    atTurnsEnd(() => {
      if (this.#group === group) this.#group = undefined;
      group.isClosed = true;
      end(group);
    }, this.#clock);
    return group;
  }
}

function end({ span, appends, underWay, isClosed }: Group): void {
  if (!isClosed || underWay > 0) return;
  if (appends > 1) span.set({ [attribute.dbBatchSize]: appends });
  span.end();
}
