import type { A2AError } from "../../protocol/internal.js";
import type { ErrorCodec } from "../codec.js";
import { decodeHttpError, jsonRpcErrorDecoder } from "../errors/decode-error.js";
import { grpcStatuses } from "../errors/grpc-status.js";
import { codeOfHttpStatus, httpStatuses } from "../errors/http-status.js";
import { codeOfJsonRpcNumber, isWordless, jsonRpcCodes } from "../errors/json-rpc-codes.js";
import { typedDetails } from "../errors/typed-details.js";

/** JSON-RPC's own errors say with their number what they are; only metadata is worth an ErrorInfo. */
function needsReason({ code, details }: A2AError): boolean {
  return code === "INVALID_PARAMS" ? details.metadata !== undefined : !isWordless(code);
}

export const errorCodec: ErrorCodec = {
  encodeJsonRpcError(error) {
    const data = typedDetails(error, needsReason(error));
    const { message } = error;
    return { code: jsonRpcCodes[error.code], message, ...(data.length > 0 && { data }) };
  },

  decodeJsonRpcError: jsonRpcErrorDecoder(codeOfJsonRpcNumber),

  encodeHttpError(error) {
    const status = httpStatuses[error.code];
    const isImplied = codeOfHttpStatus(status) === error.code;
    const body = {
      code: status,
      status: grpcStatuses["1.0"][error.code],
      message: error.message,
      details: typedDetails(error, needsReason(error) || !isImplied),
    };
    return { status, body: { error: body } };
  },

  decodeHttpError,
};
