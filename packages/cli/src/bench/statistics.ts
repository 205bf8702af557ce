/** Latencies in milliseconds at the usual shares of requests. */
export interface Percentiles {
  readonly min: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** The percentiles of some times, by the nearest rank; `undefined` when there are none. */
export function percentilesOf(times: readonly number[]): Percentiles | undefined {
  const sorted = [...times].sort((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) return undefined;
  const at = (share: number): number =>
    round(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? max);
  return {
    min: round(min),
    p50: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    max: round(max),
  };
}

/** How many times are from one bound up to the next, which is its double. */
export interface Bucket {
  readonly fromMs: number;
  readonly toMs: number;
  readonly count: number;
}

/** The times in buckets, each twice as wide as the one before it, without empty ones at the ends. */
export function histogramOf(times: readonly number[]): readonly Bucket[] {
  const indexes = times.map((time) => Math.max(0, Math.floor(Math.log2(Math.max(time, 1)))));
  if (indexes.length === 0) return [];
  const [low, high] = [Math.min(...indexes), Math.max(...indexes)];
  return Array.from({ length: high - low + 1 }, (_, offset) => {
    const index = low + offset;
    return {
      fromMs: index === 0 ? 0 : 2 ** index,
      toMs: 2 ** (index + 1),
      count: indexes.filter((one) => one === index).length,
    };
  });
}

const barLength = 40;

/** The bar of a bucket, as long as its share of the largest one. */
export function barOf(count: number, largest: number): string {
  return "#".repeat(Math.round((count / Math.max(largest, 1)) * barLength));
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
