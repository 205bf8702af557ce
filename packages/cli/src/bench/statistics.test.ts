import { describe, expect, it } from "vitest";
import { barOf, histogramOf, percentilesOf } from "./statistics.js";

describe("percentiles", () => {
  it("are times that were measured, by the nearest rank", () => {
    const times = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentilesOf(times)).toEqual({ min: 1, p50: 50, p90: 90, p95: 95, p99: 99, max: 100 });
  });

  it("are all the same for one time, and none for no time", () => {
    expect(percentilesOf([7])).toEqual({ min: 7, p50: 7, p90: 7, p95: 7, p99: 7, max: 7 });
    expect(percentilesOf([])).toBeUndefined();
  });
});

describe("the histogram", () => {
  it("has a bucket for each doubling, also for one without times in the middle", () => {
    expect(histogramOf([0.2, 1, 5, 5.5])).toEqual([
      { fromMs: 0, toMs: 2, count: 2 },
      { fromMs: 2, toMs: 4, count: 0 },
      { fromMs: 4, toMs: 8, count: 2 },
    ]);
    expect(histogramOf([])).toEqual([]);
  });

  it("draws the largest bucket in full length", () => {
    expect([barOf(10, 10), barOf(5, 10), barOf(0, 10)].map(({ length }) => length)).toEqual([
      40, 20, 0,
    ]);
  });
});
