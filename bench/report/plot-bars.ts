import type { Panel } from "../suite/series.js";
import { spreadOf, told } from "./spread.js";
import { colours, line, rectangle, text, width } from "./svg.js";

const labelWidth = 200;
const valueWidth = 90;
const rowHeight = 24;
const barHeight = 14;
const head = 26;

/** Draws bars with whiskers from the least to the largest value. Returns the shapes and how much height they take. */
export function plotBars(
  { title, unit, better, bars }: Panel,
  top: number,
): { readonly shapes: readonly string[]; readonly height: number } {
  const spreads = bars.map(({ values }) => spreadOf(values));
  const largest = Math.max(
    ...spreads.map(({ high }) => high).filter((high) => !Number.isNaN(high)),
  );
  const scale = (width - labelWidth - valueWidth) / (largest || 1);
  const note = `${unit}, ${better === "more" ? "more" : "less"} is better`;
  const shapes = [
    text(0, top + 12, title, { size: 13, isBold: true }),
    text(width, top + 12, note, { size: 11, anchor: "end" }),
  ];
  for (const [row, { label, isOurs }] of bars.entries()) {
    const spread = spreads[row];
    if (spread === undefined || Number.isNaN(spread.median)) continue;
    const y = top + head + row * rowHeight;
    const middle = y + barHeight / 2;
    const fill = isOurs ? colours.ours : colours.theirs;
    shapes.push(
      text(labelWidth - 10, middle + 4, label, { anchor: "end" }),
      rectangle(labelWidth, y, { width: spread.median * scale, height: barHeight }, fill),
    );
    const [low, high] = [labelWidth + spread.low * scale, labelWidth + spread.high * scale];
    if (high - low > 1) {
      shapes.push(
        line([low, middle], [high, middle], colours.text, 1.5),
        line([low, middle - 4], [low, middle + 4], colours.text, 1.5),
        line([high, middle - 4], [high, middle + 4], colours.text, 1.5),
      );
    }
    const end = Math.max(high, labelWidth + spread.median * scale);
    shapes.push(text(end + 8, middle + 4, told(spread.median), { isBold: isOurs }));
  }
  return { shapes, height: head + bars.length * rowHeight + 10 };
}
