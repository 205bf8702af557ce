import type { A2AError, ErrorCode } from "../../protocol/internal.js";
import type { ErrorCodec, JsonRpcError } from "../codec.js";
import { decodeHttpError, jsonRpcErrorDecoder } from "../errors/decode-error.js";
import { errorWords } from "../errors/error-words.js";
import { httpStatuses } from "../errors/http-statuses.js";
import { codeOfJsonRpcNumber } from "../errors/json-rpc-codes.js";
import { plainDetails } from "../errors/plain-details.js";
import { asJson } from "../members/as-json.js";

/** The numbers from -32006 on have other meanings in 0.1 than later, so none of them is sent. */
const jsonRpcCodes: Readonly<Record<ErrorCode, number>> = {
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  INVALID_AGENT_RESPONSE: -32004,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: -32004,
  EXTENSION_SUPPORT_REQUIRED: -32004,
  VERSION_NOT_SUPPORTED: -32004,
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

/** The numbers that only 0.1 defines, or that it defines differently. */
const ownNumbers: ReadonlyMap<unknown, ErrorCode> = new Map<unknown, ErrorCode>([
  [-32006, "UNSUPPORTED_OPERATION"],
  [-32007, "UNAUTHENTICATED"],
  [-32008, "PERMISSION_DENIED"],
  [-32009, "UNSUPPORTED_OPERATION"],
  [-32010, "RESOURCE_EXHAUSTED"],
  [-32011, "UNAVAILABLE"],
]);

/** 0.1 fixes the text that belongs to each number. */
function encodeJsonRpcError(error: A2AError): JsonRpcError {
  const code = jsonRpcCodes[error.code];
  // -32000 is not of 0.1, so there are no words for it.
  const named = code === -32000 ? error.code : (codeOfJsonRpcNumber(code) ?? error.code);
  return {
    code,
    message: errorWords[named] ?? error.message,
    data: { ...plainDetails(error), ...stateReason(error) },
  };
}

/** 0.1 has its own reason for a message to a task that has ended. */
function stateReason({ code, details }: A2AError): { readonly reason?: string } {
  const isState = code === "UNSUPPORTED_OPERATION" && details.metadata?.["taskState"] !== undefined;
  return isState ? { reason: "INVALID_TASK_STATE" } : {};
}

export const decodeJsonRpcError: ErrorCodec["decodeJsonRpcError"] = jsonRpcErrorDecoder(
  (number) => ownNumbers.get(number) ?? codeOfJsonRpcNumber(number),
);

export const errorCodec: ErrorCodec = {
  encodeJsonRpcError,

  decodeJsonRpcError,

  encodeHttpError(error) {
    return { status: httpStatuses[error.code], body: asJson(encodeJsonRpcError(error)) };
  },

  decodeHttpError,
};
