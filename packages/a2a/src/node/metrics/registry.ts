import { instruments } from "../../protocol/telemetry/internal.js";
import type { Instrument, Labels, Metrics, TraceContext } from "../../protocol/internal.js";
import { Histogram } from "./histogram.js";

/** A series of a counter or of a gauge that is set. */
export interface Value {
  value: number;
}

/** Something that is read when somebody looks. Several readers of one series are added up. */
export type Readers = Set<() => number | undefined>;

export type Series = Value | Histogram | Readers;

/** An instrument, and its series by their labels, which are in the form that Prometheus reads. */
export interface Family {
  readonly instrument: Instrument;
  readonly series: Map<string, Series>;
}

export interface RegistryOptions {
  /** How many lines of samples there may be in all; 2,000 when absent. */
  readonly maxSeries?: number;
  /** Hears once that there are too many series. */
  readonly overflowed?: (instrument: string) => void;
}

/** An instrument takes no more than this share of all series, so that the others keep theirs. */
const instrumentShare = 1 / 2;

/** How OpenTelemetry marks a series that stands for those there is no room for. */
const overflow: Labels = { "otel.metric.overflow": "true" };

/** Counts values in memory, for `/metrics`. */
export class Registry implements Metrics {
  readonly families: Map<string, Family> = new Map();
  readonly #maxSeries: number;
  readonly #overflowed: (instrument: string) => void;
  #count = 0;
  #dropped = 0;

  constructor({ maxSeries = 2000, overflowed = () => undefined }: RegistryOptions = {}) {
    this.#maxSeries = maxSeries;
    this.#overflowed = overflowed;
    this.gauge(instruments.seriesDropped, {}, () => this.#dropped);
  }

  /** How many lines of samples there are. */
  get size(): number {
    return this.#count;
  }

  counter(instrument: Instrument, labels: Labels = {}): (increment: number) => void {
    const value = this.#find(instrument, labels, () => ({ value: 0 })) as Value;
    return (increment) => {
      value.value += increment;
    };
  }

  histogram(
    instrument: Instrument,
    labels: Labels = {},
  ): (value: number, trace?: TraceContext) => void {
    const { bounds = [] } = instrument;
    const histogram = this.#find(instrument, labels, () => new Histogram(bounds)) as Histogram;
    return (value, trace) => histogram.add(value, trace);
  }

  gauge(instrument: Instrument, labels: Labels, read: () => number | undefined): () => void {
    const readers = this.#find(instrument, labels, () => new Set()) as Readers;
    readers.add(read);
    return () => void readers.delete(read);
  }

  #find(instrument: Instrument, labels: Labels, create: () => Series): Series {
    const family = this.#familyOf(instrument);
    const key = labelsOf(labels);
    const known = family.series.get(key);
    if (known !== undefined) return known;
    const lines = linesOf(instrument);
    const isFull =
      this.#count + lines > this.#maxSeries ||
      (family.series.size + 1) * lines > this.#maxSeries * instrumentShare;
    // The last one of an instrument, and there is one of each, may exceed the limit.
    if (isFull && labels !== overflow) {
      if (this.#dropped === 0) this.#overflowed(instrument.name);
      this.#dropped += 1;
      return this.#find(instrument, overflow, create);
    }
    const series = create();
    family.series.set(key, series);
    this.#count += lines;
    return series;
  }

  #familyOf(instrument: Instrument): Family {
    const known = this.families.get(instrument.name);
    if (known !== undefined) return known;
    const family = { instrument, series: new Map<string, Series>() };
    this.families.set(instrument.name, family);
    return family;
  }
}

/** How many lines one series of an instrument takes: a histogram has one for each bucket, a sum and a count. */
function linesOf({ kind, bounds = [] }: Instrument): number {
  return kind === "histogram" ? bounds.length + 3 : 1;
}

/** Labels as Prometheus reads them, without braces. A label that is empty is the same as none. */
function labelsOf(labels: Labels): string {
  return Object.entries(labels)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name.replaceAll(/[^a-zA-Z\d_]/gu, "_")}="${escaped(value)}"`)
    .join(",");
}

/** How long the value of a label may be. Names of agents are the longest. */
const maxValueLength = 128;

function escaped(value: string): string {
  return value
    .slice(0, maxValueLength)
    .toWellFormed()
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n");
}
