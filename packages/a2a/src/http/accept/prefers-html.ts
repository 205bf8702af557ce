import { acceptRanges } from "./accept-ranges.js";

/**
 * Whether a caller would rather have HTML than anything else, as browsers do that open a page: `text/html` is the
 * first of the types with the highest quality in its `Accept` header. Callers who take anything do not prefer HTML.
 */
export function prefersHtml(accept = ""): boolean {
  const ranges = acceptRanges(accept);
  const highest = Math.max(...ranges.map(({ quality }) => quality));
  const first = ranges.find(({ quality }) => quality === highest);
  return highest > 0 && first?.type === "text/html";
}
