import type { JsonObject, JsonValue, Part } from "../../protocol/internal.js";
import { jsonValue } from "../../protocol/parse/internal.js";
import type { Cursor } from "../../protocol/parse/internal.js";
import { compact } from "../members/as-json.js";
import { decodeKeyedPart, encodeKeyedContent } from "../members/keyed-part.js";

/** Parts have a `type`. The prose of 0.1 also allows lists as data, and files with nothing but a name. */
export function decodePart(value: unknown, cursor: Cursor): Part {
  return decodeKeyedPart(value, cursor, { key: "type", data: structure, allowReference: true });
}

export function encodePart(part: Part): JsonObject {
  const { kind, ...content } = encodeKeyedContent(part);
  return compact({ type: kind, ...content });
}

function structure(value: unknown, cursor: Cursor): JsonValue {
  const data = jsonValue(value, cursor);
  if (typeof data !== "object" || data === null) cursor.fail("expected an object or an array");
  return data;
}
