import type { TraceContext } from "../call-context.js";

/** What is measured: its name, its unit, and the attributes that tell its series apart. */
export interface Instrument {
  /** As OpenTelemetry writes it: `parley.task.created`. */
  readonly name: string;
  readonly kind: "counter" | "histogram" | "gauge";
  /** In UCUM: `s`, `By`, `{task}`. */
  readonly unit: string;
  readonly description: string;
  readonly attributes: readonly string[];
  /** The upper bounds of a histogram's buckets, in ascending order. */
  readonly bounds?: readonly number[];
}

/** The values of an instrument's attributes. Values that callers choose must not be among them. */
export type Labels = Readonly<Record<string, string>>;

/** Where values are counted. An instrument that is asked for twice is the same one. */
export interface Metrics {
  /** Returns what adds to a series of a counter. Call it once a series, not once a value. */
  counter(instrument: Instrument, labels?: Labels): (increment: number) => void;
  /** Returns what adds a value to a series of a histogram. `trace` is an example of what took so long. */
  histogram(instrument: Instrument, labels?: Labels): (value: number, trace?: TraceContext) => void;
  /** Reads a gauge whenever somebody looks. Returns what takes it back. */
  gauge(instrument: Instrument, labels: Labels, read: () => number | undefined): () => void;
}
