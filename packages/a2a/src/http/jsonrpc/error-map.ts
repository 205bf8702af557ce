import type { A2AError, ErrorCode } from "../../protocol/internal.js";
import { encodeJsonRpcErrorResponse } from "../../wire/internal.js";
import type { Codec, JsonRpcId } from "../../wire/internal.js";
import type { WholeResponse } from "../http-message.js";
import { errorHeaders } from "../response-headers.js";

/**
 * JSON-RPC answers errors with 200, as its callers expect. These are the exceptions: a proxy, a browser or a
 * retrying client has to see them without reading the body.
 */
const statuses: Partial<Readonly<Record<ErrorCode, number>>> = {
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  REQUEST_TOO_LARGE: 413,
  RESOURCE_EXHAUSTED: 429,
  UNAVAILABLE: 503,
};

/** The HTTP status of an error. */
export function statusOf({ code }: A2AError): number {
  return statuses[code] ?? 200;
}

/** The body of an error response, also as the data of an event. */
export function encodeErrorBody(error: A2AError, codec: Codec, id: JsonRpcId): string {
  return JSON.stringify(encodeJsonRpcErrorResponse(id, codec.encodeJsonRpcError(error)));
}

/** An error as the response to the request with this id. */
export function encodeError(
  error: A2AError,
  codec: Codec,
  id: JsonRpcId,
  status: number = statusOf(error),
): WholeResponse {
  return {
    status,
    headers: { "Content-Type": "application/json", ...errorHeaders(error) },
    body: encodeErrorBody(error, codec, id),
  };
}
