import type { JsonObject, JsonValue } from "../json.js";
import { describe } from "./cursor.js";
import type { Cursor } from "./cursor.js";
import { members } from "./object.js";
import { string } from "./primitives.js";

/**
 * Free-form JSON: metadata, data parts, extension parameters. Refuses what could not be written back
 * faithfully (lone surrogates, numbers beyond a double), nesting beyond the limit, and the member name
 * `__proto__`, which becomes the prototype where an agent merges objects.
 */
export function jsonValue(value: unknown, cursor: Cursor): JsonValue {
  if (typeof value === "string") return string(value, cursor);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) cursor.fail("expected a number within the range of a double");
    return value;
  }
  if (typeof value === "boolean" || value === null) return value;
  if (typeof value === "object") return structure(value, cursor);
  return cursor.fail(`expected a JSON value, got ${describe(value)}`);
}

/** A free-form JSON object. */
export function jsonObject(value: unknown, cursor: Cursor): JsonObject {
  jsonValue(value, cursor);
  return members(value, cursor) as JsonObject;
}

function structure(value: object, cursor: Cursor): JsonValue {
  const { path } = cursor;
  const { maxJsonDepth } = cursor.limits;
  if (path.length >= maxJsonDepth) {
    cursor.fail(`expected at most ${maxJsonDepth} levels of nesting`);
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      path.push(index);
      jsonValue(value[index], cursor);
      path.pop();
    }
    return value;
  }
  const source = value as Record<string, unknown>;
  for (const name in source) {
    checkName(name, cursor);
    path.push(name);
    jsonValue(source[name], cursor);
    path.pop();
  }
  return source as JsonObject;
}

/** Refuses a name that a free member cannot have. */
export function checkName(name: string, cursor: Cursor): void {
  if (name === "__proto__") cursor.fail("this member name is not allowed", name);
  if (!name.isWellFormed()) cursor.fail("expected member names in well-formed Unicode");
}
