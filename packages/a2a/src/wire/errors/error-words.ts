import type { A2AError, ErrorCode } from "../../protocol/internal.js";

/**
 * The specification's own words for its errors and for those of JSON-RPC. People and scripts look for them. The errors
 * without words here are not of the specification.
 */
export const errorWords: Readonly<Partial<Record<ErrorCode, string>>> = {
  TASK_NOT_FOUND: "Task not found",
  TASK_NOT_CANCELABLE: "Task cannot be canceled",
  PUSH_NOTIFICATION_NOT_SUPPORTED: "Push Notification is not supported",
  UNSUPPORTED_OPERATION: "This operation is not supported",
  CONTENT_TYPE_NOT_SUPPORTED: "Incompatible content types",
  INVALID_AGENT_RESPONSE: "Invalid agent response",
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: "Authenticated Extended Card is not configured",
  EXTENSION_SUPPORT_REQUIRED: "Extension support required",
  VERSION_NOT_SUPPORTED: "Version not supported",
  PARSE_ERROR: "Invalid JSON payload",
  INVALID_REQUEST: "Request payload validation error",
  METHOD_NOT_FOUND: "Method not found",
  INVALID_PARAMS: "Invalid parameters",
  INTERNAL: "Internal error",
};

/**
 * The message of an error from 1.0 on: the specification's words, then what this server says about the case. An error
 * that comes from another server has the words already.
 */
export function wordedMessage({ code, message }: A2AError): string {
  const words = errorWords[code];
  return words === undefined || message.startsWith(words) ? message : `${words}: ${message}`;
}
