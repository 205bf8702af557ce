import type { JsonObject, JsonValue } from "../../protocol/internal.js";

/** The model's objects are JSON by construction; their interfaces merely have no index signature. */
export function asJson(value: object): JsonObject {
  return value as JsonObject;
}

/** An object of the members that are defined, in the order given. */
export function compact(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value !== undefined) result[name] = value;
  }
  return result;
}
