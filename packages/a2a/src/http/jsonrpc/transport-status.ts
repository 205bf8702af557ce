import type { A2AError, ErrorCode } from "../../protocol/internal.js";
import { errorHeaders } from "../error-headers.js";
import type { HttpHeaders } from "../http-message.js";

/**
 * JSON-RPC answers errors with 200, as its callers expect; but what a proxy, a browser or a retrying
 * client has to know without reading the body is said in the status too.
 */
const statuses: Partial<Readonly<Record<ErrorCode, number>>> = {
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  REQUEST_TOO_LARGE: 413,
  RESOURCE_EXHAUSTED: 429,
  UNAVAILABLE: 503,
};

export function transportStatus(error: A2AError): {
  readonly status: number;
  readonly headers: HttpHeaders;
} {
  return { status: statuses[error.code] ?? 200, headers: errorHeaders(error) };
}
