import type { A2AError, ErrorCode } from "../../protocol/internal.js";
import { codecs, encodeJsonRpcErrorResponse, majorMinor } from "../../wire/internal.js";
import type { Dialect, ErrorCodec, JsonRpcId } from "../../wire/internal.js";
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

/**
 * The codec of the errors to a caller that speaks a dialect and has named a version, or none. No library of 0.3 names its
 * version in `A2A-Version`: whoever names 0.3 and speaks it is a library of 1.0. Some of those read no `data` but the
 * list of 1.0; the libraries and documents of 0.2 and 0.3 have an object there.
 */
export function errorCodecFor(dialect: Dialect, namedVersion: string | undefined): ErrorCodec {
  const isLater = dialect.startsWith("0.3") && majorMinor(namedVersion ?? "") === "0.3";
  return codecs[isLater ? "1.0" : dialect];
}

/** The body of an error response, also as the data of an event. */
export function encodeErrorBody(error: A2AError, codec: ErrorCodec, id: JsonRpcId): string {
  return JSON.stringify(encodeJsonRpcErrorResponse(id, codec.encodeJsonRpcError(error)));
}

/** An error as the response to the request with this id. */
export function encodeError(
  error: A2AError,
  codec: ErrorCodec,
  id: JsonRpcId,
  status: number = statusOf(error),
): WholeResponse {
  return {
    status,
    headers: { "Content-Type": "application/json", ...errorHeaders(error) },
    body: encodeErrorBody(error, codec, id),
  };
}
