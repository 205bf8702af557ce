import { acceptRanges } from "./accept-ranges.js";

/**
 * Whether a caller is better answered in `application/json` than in `application/a2a+json`: it wants the first more, or
 * names the first only, or takes neither and has to be told something. Callers who take anything get the second,
 * which is the specification's own (§11.1).
 */
export function prefersPlainJson(accept = "*/*"): boolean {
  if (accept === "*/*") return false;
  if (accept === "application/json") return true;
  const ranges = acceptRanges(accept);
  const qualityOf = (wanted: string): number | undefined =>
    ranges.find(({ type }) => type === wanted)?.quality;
  const plain = qualityOf("application/json");
  const own = qualityOf("application/a2a+json");
  const other = qualityOf("application/*") ?? qualityOf("*/*") ?? 0;
  const difference = (plain ?? other) - (own ?? other);
  if (difference !== 0) return difference > 0;
  return own === undefined && (plain !== undefined || other === 0);
}
