import { expect, it } from "vitest";
import { SpanAxis } from "./span-axis.js";
import type { Span } from "./waterfall.js";

const span = (kind: Span["kind"], from: number, to?: number): Span => ({
  kind,
  name: kind,
  from,
  ...(to !== undefined && { to }),
  depth: 0,
});

it("goes by time, and beyond the end of the log", () => {
  const axis = new SpanAxis([span("run", 0, 100), span("push", 100, 400)]);
  expect([0, 100, 250, 400, 900].map((time) => axis.placeAt(time))).toEqual([0, 0.25, 0.625, 1, 1]);
  expect(axis.placeAt(-5)).toBe(0);
});

it("folds what a task waits, and what is between its end and a later attempt, and no work", () => {
  const axis = new SpanAxis([
    span("run", 0, 300_000),
    span("waiting", 100, 240_100),
    span("step", 240_100, 270_100),
    span("push", 900_000, 900_100),
  ]);
  const waited = axis.placeAt(240_100) - axis.placeAt(100);
  const between = axis.placeAt(900_000) - axis.placeAt(300_000);
  expect([waited, between]).toEqual([expect.closeTo(0.1), expect.closeTo(0.1)]);
  expect(axis.placeAt(270_100) - axis.placeAt(240_100)).toBeGreaterThan(0.3);
});

it("has a place for a span without a length, and for one that lasts", () => {
  expect(new SpanAxis([span("push", 7, 7)]).placeAt(7)).toBe(0);
  expect(new SpanAxis([span("run", 7)]).placeAt(9)).toBe(0);
  expect(new SpanAxis([]).placeAt(9)).toBe(0);
});
