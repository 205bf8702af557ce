import type { A2AError, JsonObject } from "../../protocol/internal.js";
import { asJson, compact } from "../members/as-json.js";
import { isSentWithoutDetails } from "./json-rpc-codes.js";

/**
 * The `data` object of an error before 1.0: the reason, the fields, the metadata, and when to try again.
 * Metadata named `details` is dropped, because peers use that name for the text of the error.
 */
export function plainDetails(error: A2AError): JsonObject | undefined {
  if (isSentWithoutDetails(error.code)) return undefined;
  const { fieldViolations, metadata, retryAfterSeconds } = error.details;
  return compact({
    ...metadata,
    details: undefined,
    reason: error.code,
    fieldViolations: fieldViolations?.map(asJson),
    retryAfter: retryAfterSeconds,
  });
}
