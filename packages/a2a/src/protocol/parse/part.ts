import type { JsonObject, JsonValue } from "../json.js";
import type { Part } from "../part.js";
import type { Cursor, Parser } from "./cursor.js";
import { isCleanPart } from "./is-clean.js";
import { jsonObject, jsonValue } from "./json.js";
import { exactlyOne, implicit, nullable, object, optional } from "./object.js";
import { base64, string, url } from "./primitives.js";

interface PartMembers {
  readonly text?: string;
  readonly raw?: string;
  readonly url?: string;
  readonly data?: JsonValue;
  readonly mediaType?: string;
  readonly filename?: string;
  readonly metadata?: JsonObject;
}

const partMembers = object<PartMembers>({
  text: optional(string),
  raw: optional(base64),
  url: optional(url),
  data: nullable(jsonValue),
  mediaType: implicit(string),
  filename: implicit(string),
  metadata: optional(jsonObject),
});

/** A part in the model's own form. What is present counts: `{"data":null}` and `{"text":""}` are parts. */
export const parseAnyPart: Parser<Part> = exactlyOne(partMembers, ["text", "raw", "url", "data"]);

/** The same, and faster for most parts. It takes more code, which clients do without. */
export function parsePart(value: unknown, cursor: Cursor): Part {
  return isCleanPart(value, cursor) ? value : parseAnyPart(value, cursor);
}
