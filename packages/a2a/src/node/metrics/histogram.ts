import type { TraceContext } from "../../protocol/internal.js";

/** An example of a value, and the trace that it comes from. */
export interface Exemplar {
  readonly value: number;
  readonly traceId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Counts values in buckets. To add one makes no object, unless it is an example. */
export class Histogram {
  readonly bounds: readonly number[];
  /** How many values are in each bucket; the last one has those beyond all bounds. */
  readonly counts: Float64Array;
  sum = 0;
  #exemplars: (Exemplar | undefined)[] | undefined;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  add(value: number, trace?: TraceContext): void {
    const { bounds, counts } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket += 1;
    counts[bucket]! += 1;
    this.sum += value;
    if (trace !== undefined) this.#keep(bucket, value, trace);
  }

  /** The latest example of a bucket. */
  exemplar(bucket: number): Exemplar | undefined {
    return this.#exemplars?.[bucket];
  }

  /** A trace that nobody has recorded is no example. */
  #keep(bucket: number, value: number, trace: TraceContext): void {
    if (!isRecorded(trace)) return;
    this.#exemplars ??= [];
    this.#exemplars[bucket] = { value, traceId: trace.traceparent.slice(3, 35), at: Date.now() };
  }
}

/** Whether somebody has recorded the trace, as its last flag says. */
function isRecorded({ traceparent }: TraceContext): boolean {
  return (Number.parseInt(traceparent.slice(53, 55), 16) & 1) === 1;
}
