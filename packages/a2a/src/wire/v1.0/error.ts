import type { ErrorCodec } from "../codec.js";
import { decodeHttpError, decodeJsonRpcError } from "../errors/decode-error.js";
import { wordedMessage } from "../errors/error-words.js";
import { httpStatuses } from "../errors/http-statuses.js";
import { jsonRpcCodes } from "../errors/json-rpc-codes.js";
import { encodeStatus } from "../errors/encode-status.js";
import { typedDetails } from "../errors/typed-details.js";

export const errorCodec: ErrorCodec = {
  encodeJsonRpcError(error) {
    const message = wordedMessage(error);
    return { code: jsonRpcCodes[error.code], message, data: typedDetails(error) };
  },

  decodeJsonRpcError,

  encodeHttpError(error) {
    return { status: httpStatuses[error.code], body: { error: encodeStatus(error) } };
  },

  decodeHttpError,
};
