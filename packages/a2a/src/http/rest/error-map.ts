import type { A2AError, JsonObject } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import type { Codec } from "../../wire/internal.js";
import type { HttpHeaders, WholeResponse } from "../http-message.js";
import { errorHeaders } from "../response-headers.js";
import { mediaTypeOf } from "./media-type.js";

/** The body of an error response, also as the data of an event. */
export function encodeErrorBody(error: A2AError, codec: Codec): string {
  return JSON.stringify(codec.encodeHttpError(error).body);
}

/** An error as a response; 405 where the path allows only other methods. */
export function encodeError(
  error: A2AError,
  codec: Codec,
  allowedMethods?: readonly string[],
): WholeResponse {
  const { status, body } = codec.encodeHttpError(error);
  const headers: HttpHeaders = {
    "Content-Type": mediaTypeOf(codec.version),
    ...errorHeaders(error),
    ...(allowedMethods !== undefined && { Allow: allowedMethods.join(", ") }),
  };
  if (allowedMethods === undefined) return { status, headers, body: JSON.stringify(body) };
  return { status: 405, headers, body: JSON.stringify(withStatus(body, 405)) };
}

/** The body of a 1.0 error repeats the status of its response (§11.6). */
function withStatus(body: JsonObject, status: number): JsonObject {
  const { error } = body;
  return isJsonObject(error) ? { ...body, error: { ...error, code: status } } : body;
}
