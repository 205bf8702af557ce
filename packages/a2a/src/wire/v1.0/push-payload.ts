import type { StreamResponse } from "../../protocol/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import type { PushPayload } from "../codec.js";
import { asJson } from "../members/as-json.js";
import { decodeEvent } from "./stream-response.js";

/** Pushes the event itself (§4.3.3). */
export function encodePushPayload(response: StreamResponse): PushPayload {
  return { contentType: "application/a2a+json", body: asJson(response) };
}

export const decodePushPayload: Parser<StreamResponse> = (value, cursor) =>
  decodeEvent(value, cursor, {});
