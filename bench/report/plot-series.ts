import { plotBars } from "./plot-bars.js";
import { plotGrowth } from "./plot-growth.js";
import type { SeriesResult } from "./results.js";
import { picture, text } from "./svg.js";

/** Draws a series as one picture. */
export function plotSeries({ title, finding }: SeriesResult): string {
  const shapes = [text(0, 20, title, { size: 16, isBold: true })];
  let top = 40;
  const add = (part: { readonly shapes: readonly string[]; readonly height: number }): void => {
    shapes.push(...part.shapes);
    top += part.height;
  };
  if (finding.growth !== undefined) add(plotGrowth(finding.growth, top));
  for (const panel of finding.panels) add(plotBars(panel, top));
  return picture(title, top, shapes);
}
