import type { JsonObject, JsonValue } from "../json.js";
import type { Part } from "../part.js";
import type { Parser } from "./cursor.js";
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

/** A part in the model's own form. Presence decides: `{"data":null}` and `{"text":""}` are parts. */
export const parsePart: Parser<Part> = exactlyOne(partMembers, ["text", "raw", "url", "data"]);
