/**
 * Whether a caller would rather have HTML than anything else, as browsers do that open a page: `text/html` is the
 * first of the types with the highest quality in its `Accept` header. Callers who take anything do not prefer HTML.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const ranges = (accept ?? "").split(",").map((range) => {
    const [type = "", ...parameters] = range.split(";").map((one) => one.trim().toLowerCase());
    const quality = parameters.find((one) => one.startsWith("q="))?.slice(2);
    return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
  });
  const highest = Math.max(...ranges.map(({ quality }) => quality));
  const first = ranges.find(({ quality }) => quality === highest);
  return highest > 0 && first?.type === "text/html";
}
