import type { JsonObject, JsonValue } from "../../protocol/internal.js";

type Claims = Readonly<Record<string, unknown>>;

/** The scopes of a token: from `scope` (RFC 8693), or from `scp`, which some issuers use. */
export function scopesOf({ scope, scp }: Claims): readonly string[] {
  const granted = scope ?? scp;
  const list = typeof granted === "string" ? granted.split(" ") : granted;
  if (!Array.isArray(list)) return [];
  return list.filter((one): one is string => typeof one === "string" && one !== "");
}

/** The claims with these names; `undefined` when there are none. */
export function claimsOf(claims: Claims, names: readonly string[]): JsonObject | undefined {
  const found = names.filter((name) => Object.hasOwn(claims, name));
  if (found.length === 0) return undefined;
  return Object.fromEntries(found.map((name) => [name, claims[name] as JsonValue]));
}
