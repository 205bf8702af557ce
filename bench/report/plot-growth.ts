import type { Growth } from "../suite/series.js";
import { exponentOf, medianOf } from "../suite/statistics.js";
import { spreadOf } from "./spread.js";
import { colours, dot, line, polyline, text, width } from "./svg.js";

const left = 70;
const right = width - 210;
const plotHeight = 220;
const head = 34;

/** Draws costs by sizes on logarithmic axes, each line with the exponent that fits it. */
export function plotGrowth(
  growth: Growth,
  top: number,
): { readonly shapes: readonly string[]; readonly height: number } {
  const sizes = growth.lines.flatMap(({ points }) => points.map(({ size }) => size));
  const costs = growth.lines.flatMap(({ points }) => points.flatMap(({ values }) => values));
  const x = logarithmic(Math.min(...sizes), Math.max(...sizes), left + 10, right - 10);
  const [floor, ceiling] = [powerBelow(Math.min(...costs)), powerAbove(Math.max(...costs))];
  const bottom = top + head + plotHeight;
  const y = logarithmic(floor, ceiling, bottom, top + head);
  const shapes = [
    text(0, top + 12, growth.title, { size: 13, isBold: true }),
    text(width, top + 12, `${growth.costs} by ${growth.sizes}, both logarithmic`, {
      size: 11,
      anchor: "end",
    }),
  ];
  for (let cost = floor; cost <= ceiling * 1.001; cost *= 10) {
    shapes.push(
      line([left, y(cost)], [right, y(cost)], colours.rule),
      text(left - 8, y(cost) + 4, cost.toLocaleString("en"), { size: 11, anchor: "end" }),
    );
  }
  for (const size of new Set(sizes)) {
    shapes.push(
      text(x(size), bottom + 18, size.toLocaleString("en"), { size: 11, anchor: "middle" }),
    );
  }
  const ends: number[] = [];
  for (const { label, isOurs, points } of growth.lines) {
    const stroke = isOurs ? colours.ours : colours.theirs;
    const medians = points.map(({ size, values }) => [size, medianOf(values)] as const);
    shapes.push(
      polyline(
        medians.map(([size, cost]) => [x(size), y(cost)] as const),
        stroke,
      ),
    );
    for (const { size, values } of points) {
      const { median, low, high } = spreadOf(values);
      shapes.push(
        line([x(size), y(low)], [x(size), y(high)], colours.text, 1.5),
        dot(x(size), y(median), stroke),
      );
    }
    const [, last = floor] = medians.at(-1) ?? [];
    const at = apartFrom(ends, y(last));
    ends.push(at);
    shapes.push(
      text(right + 8, at, label, { isBold: isOurs }),
      text(right + 8, at + 16, `exponent ${exponentOf(medians).toFixed(2)}`, { size: 11 }),
    );
  }
  return { shapes, height: head + plotHeight + 36 };
}

/** Moves a label up or down, so that it does not lie on another. */
function apartFrom(taken: readonly number[], y: number): number {
  const near = taken.find((other) => Math.abs(other - y) < 36);
  if (near === undefined) return y;
  return near + (y < near ? -36 : 36);
}

function logarithmic(
  low: number,
  high: number,
  from: number,
  to: number,
): (value: number) => number {
  const span = Math.log(high) - Math.log(low) || 1;
  return (value) => from + ((Math.log(Math.max(value, low)) - Math.log(low)) / span) * (to - from);
}

function powerBelow(value: number): number {
  return 10 ** Math.floor(Math.log10(value));
}

function powerAbove(value: number): number {
  return 10 ** Math.ceil(Math.log10(value * 1.0001));
}
