import type { ProtocolVersion } from "../../protocol/internal.js";
import { prefersPlainJson } from "../accept/prefers-plain-json.js";
import type { HttpRequest } from "../http-message.js";
import { mediaTypeOf } from "./media-type.js";

/** The media type of an answer in a version: the version's own, unless the caller asks for plain JSON. */
export function answerTypeOf(version: ProtocolVersion, request: HttpRequest): string {
  return prefersPlainJson(request.header("accept")) ? "application/json" : mediaTypeOf(version);
}
