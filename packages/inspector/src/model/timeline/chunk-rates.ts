import type { LogIndex } from "../log/log-index.js";
import { lastIndexWhere } from "../log/search.js";

/** How many entries came in each of so many equal stretches of time, between two positions. Its cost does not depend on them. */
export function chunkRates(index: LogIndex, from: number, to: number, bars: number): number[] {
  const begin = index.timeAt(from);
  const span = index.timeAt(to - 1) - begin;
  if (span <= 0) return [to - from];
  const counts: number[] = [];
  let before = from;
  for (let bar = 1; bar <= bars; bar += 1) {
    const until = begin + (span * bar) / bars;
    const after =
      bar === bars
        ? to
        : from + lastIndexWhere(to - from, (offset) => index.timeAt(from + offset) < until) + 1;
    counts.push(after - before);
    before = after;
  }
  return counts;
}
