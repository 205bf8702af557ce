import type { A2AError } from "../../protocol/internal.js";
import { asJson } from "../members/as-json.js";
import type { ErrorCodec, JsonRpcError } from "../codec.js";
import { decodeHttpError, jsonRpcErrorDecoder } from "../errors/decode-error.js";
import { httpStatuses } from "../errors/http-status.js";
import { codeOfJsonRpcNumber, jsonRpcCodes } from "../errors/json-rpc-codes.js";
import { plainDetails } from "../errors/plain-details.js";

function encodeJsonRpcError(error: A2AError): JsonRpcError {
  const data = plainDetails(error);
  const { message } = error;
  return { code: jsonRpcCodes[error.code], message, ...(data !== undefined && { data }) };
}

export const errorCodec: ErrorCodec = {
  encodeJsonRpcError,
  decodeJsonRpcError: jsonRpcErrorDecoder(codeOfJsonRpcNumber),
  /** 0.3 leaves the body open; its servers send the JSON-RPC error bare. */
  encodeHttpError(error) {
    return { status: httpStatuses[error.code], body: asJson(encodeJsonRpcError(error)) };
  },
  decodeHttpError,
};
