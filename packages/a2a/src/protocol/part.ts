import type { JsonObject, JsonValue } from "./json.js";

interface PartMembers {
  readonly mediaType?: string;
  readonly filename?: string;
  readonly metadata?: JsonObject;
}

/** Plain text. */
export interface TextPart extends PartMembers {
  readonly text: string;
  readonly raw?: never;
  readonly url?: never;
  readonly data?: never;
}

/** A file carried in the message itself, as base64. */
export interface RawPart extends PartMembers {
  readonly raw: string;
  readonly text?: never;
  readonly url?: never;
  readonly data?: never;
}

/** A file behind a link. */
export interface UrlPart extends PartMembers {
  readonly url: string;
  readonly text?: never;
  readonly raw?: never;
  readonly data?: never;
}

/** Structured data. `null` is a value here: presence of the member decides, not its value. */
export interface DataPart extends PartMembers {
  readonly data: JsonValue;
  readonly text?: never;
  readonly raw?: never;
  readonly url?: never;
}

/** The smallest unit of content: exactly one of `text`, `raw`, `url`, `data` (§4.1.6). */
export type Part = TextPart | RawPart | UrlPart | DataPart;
