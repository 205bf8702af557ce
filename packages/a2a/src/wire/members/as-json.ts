import type { JsonObject, JsonValue } from "../../protocol/internal.js";

/** Types an object of the model as JSON, which it is: its interface merely has no index signature. */
export function asJson(value: object): JsonObject {
  return value as JsonObject;
}

/** An object of the defined members, in the given order. */
export function compact(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value !== undefined) result[name] = value;
  }
  return result;
}
