import type { Strain } from "../suite/generator.js";
import type { Finding, Goal, Series } from "../suite/series.js";
import { medianOf } from "../suite/statistics.js";
import { told } from "./spread.js";

/** What a run has found. */
export interface Results {
  /** How many cores, which processor, which node.js. */
  readonly machine: string;
  /** What the load generator takes from a server that does nothing, in answers a second. */
  readonly ceiling: number;
  readonly series: readonly SeriesResult[];
}

export interface SeriesResult extends Pick<Series, "name" | "title" | "what" | "reference"> {
  readonly seconds: number;
  readonly generator: Strain;
  readonly finding: Finding;
}

/** Replaces the results of the series that were measured again, and keeps the order of the suite. */
export function merge(
  before: Results | undefined,
  now: Results,
  order: readonly string[],
): Results {
  const known = [...now.series, ...(before?.series ?? [])];
  return {
    ...now,
    series: order.flatMap((name) => known.find((one) => one.name === name) ?? []),
  };
}

/** `met`, `MISSED`, or nothing for what is only shown. */
export function verdictOf({ values, atLeast, atMost }: Goal): "met" | "MISSED" | "" {
  const value = medianOf(values);
  if (atLeast !== undefined) return value >= atLeast ? "met" : "MISSED";
  if (atMost !== undefined) return value <= atMost ? "met" : "MISSED";
  return "";
}

/** Says what a goal asks for. */
export function boundOf({ unit, atLeast, atMost }: Goal): string {
  if (atLeast !== undefined) return `≥ ${atLeast.toLocaleString("en")}${unit}`;
  return atMost === undefined ? "" : `≤ ${atMost.toLocaleString("en")}${unit}`;
}

export function valueOf(goal: Goal): string {
  return `${told(medianOf(goal.values))}${goal.unit}`;
}
