import type { JsonObject, Part } from "../../protocol/internal.js";
import { jsonObject } from "../../protocol/parse/internal.js";
import type { Cursor } from "../../protocol/parse/internal.js";
import { compact } from "../members/as-json.js";
import { decodeKeyedPart, encodeKeyedContent } from "../members/keyed-part.js";
import type { Shape } from "./shape.js";

export function decodePart(value: unknown, cursor: Cursor): Part {
  return decodeKeyedPart(value, cursor, { key: "kind", data: jsonObject, allowReference: false });
}

export function encodePart(part: Part, shape: Shape): JsonObject {
  const { kind, ...content } = encodeKeyedContent(part);
  return compact({ kind, type: shape.typeMember ? kind : undefined, ...content });
}
