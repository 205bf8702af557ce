import { lastIndexWhere } from "../log/search.js";
import type { Span } from "./waterfall.js";

const idleMs = 10_000;
/** What folded stretches take of the width, each and together at most. */
const idleShare = 0.1;
const idleShareAtMost = 0.4;

/**
 * The axis of a waterfall: by time alone, from the first span to the end of the last. Stretches in which nothing is at
 * work, because a task waits or has ended, are folded.
 */
export class SpanAxis {
  readonly #times: readonly number[];
  readonly #places: readonly number[];

  constructor(spans: readonly Span[]) {
    const times = [
      ...new Set(spans.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to]))),
    ];
    times.sort((one, other) => one - other);
    const gaps = times.slice(1).map((time, before) => {
      const from = times[before] ?? time;
      return { ms: time - from, isIdle: time - from > idleMs && isIdle(spans, from, time) };
    });
    const idles = gaps.filter((gap) => gap.isIdle).length;
    const active = gaps.reduce((sum, gap) => sum + (gap.isIdle ? 0 : gap.ms), 0);
    const folded = active === 0 && idles > 0 ? 1 : Math.min(idles * idleShare, idleShareAtMost);
    const places = [0];
    for (const gap of gaps) {
      const share = gap.isIdle ? folded / idles : ((1 - folded) * gap.ms) / active;
      places.push((places.at(-1) ?? 0) + share);
    }
    this.#times = times;
    this.#places = places;
  }

  /** The place of a moment, from 0 to 1. */
  placeAt(time: number): number {
    const before = lastIndexWhere(this.#times.length, (at) => (this.#times[at] ?? 0) <= time);
    if (before < 0) return 0;
    const from = this.#times[before] ?? 0;
    const place = this.#places[before] ?? 0;
    const next = this.#places[before + 1];
    if (next === undefined) return place;
    return place + ((next - place) * (time - from)) / ((this.#times[before + 1] ?? 0) - from);
  }
}

/** Whether nothing is at work between two moments: there is no span then, or one of waiting. */
function isIdle(spans: readonly Span[], from: number, to: number): boolean {
  const then = spans.filter((span) => span.from <= from && (span.to ?? Infinity) >= to);
  return then.length === 0 || then.some(({ kind }) => kind === "waiting");
}
