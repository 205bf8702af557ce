import type { A2AError } from "../../protocol/internal.js";
import type { ErrorCodec } from "../codec.js";
import { decodeHttpError, decodeJsonRpcError } from "../errors/decode-error.js";
import { wordedMessage } from "../errors/error-words.js";
import { grpcStatuses } from "../errors/grpc-statuses.js";
import { codeOfHttpStatus, httpStatuses } from "../errors/http-statuses.js";
import { isSentWithoutDetails, jsonRpcCodes } from "../errors/json-rpc-codes.js";
import { typedDetails } from "../errors/typed-details.js";

/** The number of a JSON-RPC error says what it is, so it needs an ErrorInfo for its metadata only. */
function needsReason({ code, details }: A2AError): boolean {
  return code === "INVALID_PARAMS" ? details.metadata !== undefined : !isSentWithoutDetails(code);
}

export const errorCodec: ErrorCodec = {
  encodeJsonRpcError(error) {
    const data = typedDetails(error, needsReason(error));
    const message = wordedMessage(error);
    return { code: jsonRpcCodes[error.code], message, ...(data.length > 0 && { data }) };
  },

  decodeJsonRpcError,

  encodeHttpError(error) {
    const status = httpStatuses[error.code];
    const isImplied = codeOfHttpStatus(status) === error.code;
    const body = {
      code: status,
      status: grpcStatuses["1.0"][error.code],
      message: wordedMessage(error),
      details: typedDetails(error, needsReason(error) || !isImplied),
    };
    return { status, body: { error: body } };
  },

  decodeHttpError,
};
