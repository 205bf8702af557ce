import { medianOf, quantile } from "../suite/statistics.js";

/** The median of some values, and the least and the largest. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: medianOf(values), low: quantile(values, 0), high: quantile(values, 1) };
}

/** Writes a number with three digits that count. */
export function told(value: number): string {
  if (Number.isNaN(value)) return "?";
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en");
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4;
  return value.toFixed(digits);
}

export function toldSpread({ median, low, high }: Spread): string {
  return low === high ? told(median) : `${told(median)} (${told(low)} to ${told(high)})`;
}
