import type { A2AError } from "../../protocol/internal.js";
import type { ErrorCodec, JsonRpcError } from "../codec.js";
import { asJson } from "../members/as-json.js";
import { decodeHttpError, decodeJsonRpcError } from "./decode-error.js";
import { encodeStatus } from "./encode-status.js";
import { errorType } from "./error-type.js";
import { errorWords } from "./error-words.js";
import { httpStatuses } from "./http-statuses.js";
import { jsonRpcCodes } from "./json-rpc-codes.js";
import { plainDetails } from "./plain-details.js";

function encodeJsonRpcError(error: A2AError): JsonRpcError {
  const { code, message } = error;
  return {
    code: jsonRpcCodes[code],
    message: errorWords[code] ?? message,
    data: plainDetails(error),
  };
}

/** The errors of 0.2 and 0.3, in both body forms of its REST paths. */
export const plainErrorCodec: ErrorCodec = {
  encodeJsonRpcError,
  decodeJsonRpcError,
  /**
   * 0.3 defines no body, and its readers look in three places: at the JSON-RPC error (JavaScript), at its `type`
   * (Python), at the `error` of 1.0 (Go). They ignore the others' members.
   */
  encodeHttpError(error) {
    const { code } = error;
    const body = {
      ...asJson(encodeJsonRpcError(error)),
      type: errorType(code),
      error: encodeStatus(error),
    };
    return { status: httpStatuses[code], body };
  },
  decodeHttpError,
};
