import type { JsonValue } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";

/**
 * The canonical JSON of RFC 8785. JavaScript writes numbers and texts as the RFC wants them, and sorts by UTF-16
 * units. Throws for a text that has no UTF-8.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === "string" && !value.isWellFormed()) {
    throw new Error(`${JSON.stringify(value)} has half of a surrogate pair, so it has no UTF-8`);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
