import type { ErrorCode } from "../../protocol/internal.js";

/** The HTTP status of every error over REST (§5.4). 0.3 defines none, so it gets the same. */
export const httpStatuses: Readonly<Record<ErrorCode, number>> = {
  TASK_NOT_FOUND: 404,
  TASK_NOT_CANCELABLE: 400,
  PUSH_NOTIFICATION_NOT_SUPPORTED: 400,
  UNSUPPORTED_OPERATION: 400,
  CONTENT_TYPE_NOT_SUPPORTED: 400,
  INVALID_AGENT_RESPONSE: 500,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: 400,
  EXTENSION_SUPPORT_REQUIRED: 400,
  VERSION_NOT_SUPPORTED: 400,
  PARSE_ERROR: 400,
  INVALID_REQUEST: 400,
  METHOD_NOT_FOUND: 404,
  INVALID_PARAMS: 400,
  REQUEST_TOO_LARGE: 413,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  RESOURCE_EXHAUSTED: 429,
  CONCURRENT_MODIFICATION: 409,
  UNAVAILABLE: 503,
  INTERNAL: 500,
};

/** The error that a status stands for when the body does not say. Some 1.0 servers answer with 409 and 415. */
const byStatus: Readonly<Record<number, ErrorCode>> = {
  400: "INVALID_PARAMS",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "TASK_NOT_FOUND",
  405: "METHOD_NOT_FOUND",
  409: "TASK_NOT_CANCELABLE",
  413: "REQUEST_TOO_LARGE",
  415: "CONTENT_TYPE_NOT_SUPPORTED",
  429: "RESOURCE_EXHAUSTED",
  501: "UNSUPPORTED_OPERATION",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "UNAVAILABLE",
};

export function codeOfHttpStatus(status: number): ErrorCode {
  return byStatus[status] ?? (status >= 500 ? "INTERNAL" : "INVALID_REQUEST");
}
