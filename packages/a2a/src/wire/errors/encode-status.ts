import type { A2AError, JsonObject } from "../../protocol/internal.js";
import { wordedMessage } from "./error-words.js";
import { grpcStatuses } from "./grpc-statuses.js";
import { httpStatuses } from "./http-statuses.js";
import { typedDetails } from "./typed-details.js";

/** An error as a `google.rpc.Status` in JSON, with the HTTP status as its number (§11.6). */
export function encodeStatus(error: A2AError): JsonObject {
  return {
    code: httpStatuses[error.code],
    status: grpcStatuses["1.0"][error.code],
    message: wordedMessage(error),
    details: typedDetails(error),
  };
}
