import { protocolErrorCodes } from "../../protocol/internal.js";
import type { ErrorCode } from "../../protocol/internal.js";

/**
 * The JSON-RPC number of every error from 0.3 on (§5.4, §9.5). Errors of authentication, authorization
 * and rate limits have no number of their own: -32000 is JSON-RPC's number for the implementation's use.
 */
export const jsonRpcCodes: Readonly<Record<ErrorCode, number>> = {
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  INVALID_AGENT_RESPONSE: -32006,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: -32007,
  EXTENSION_SUPPORT_REQUIRED: -32008,
  VERSION_NOT_SUPPORTED: -32009,
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  REQUEST_TOO_LARGE: -32600,
  UNAUTHENTICATED: -32000,
  PERMISSION_DENIED: -32000,
  RESOURCE_EXHAUSTED: -32000,
  CONCURRENT_MODIFICATION: -32603,
  UNAVAILABLE: -32603,
  INTERNAL: -32603,
};

/** The errors of JSON-RPC itself, by their numbers. The protocol's own errors have the numbers from -32001 on, in order. */
const jsonRpcErrors: Readonly<Record<number, ErrorCode>> = {
  [-32700]: "PARSE_ERROR",
  [-32600]: "INVALID_REQUEST",
  [-32601]: "METHOD_NOT_FOUND",
  [-32602]: "INVALID_PARAMS",
  [-32603]: "INTERNAL",
  [-32000]: "INTERNAL",
};

/** The error of a number. Of several errors with one number it is the most general. */
export function codeOfJsonRpcNumber(number: unknown): ErrorCode | undefined {
  if (typeof number !== "number") return undefined;
  return protocolErrorCodes[-32001 - number] ?? jsonRpcErrors[number];
}

const withoutDetails: ReadonlySet<ErrorCode> = new Set([
  "PARSE_ERROR",
  "INVALID_REQUEST",
  "METHOD_NOT_FOUND",
  "INTERNAL",
]);

/** True for errors that are sent without details: those of JSON-RPC, and those that must not be explained. */
export function isSentWithoutDetails(code: ErrorCode): boolean {
  return withoutDetails.has(code);
}
