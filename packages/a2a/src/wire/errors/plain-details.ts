import type { A2AError, JsonObject } from "../../protocol/internal.js";
import { asJson, compact } from "../members/as-json.js";
import { isWordless } from "./json-rpc-codes.js";

/**
 * The `data` object of versions before 1.0: the reason, what it is about, and when to try again.
 * `details`, which peers use for the words of the error, is no name for metadata.
 */
export function plainDetails(error: A2AError): JsonObject | undefined {
  if (isWordless(error.code)) return undefined;
  const { fieldViolations, metadata, retryAfterSeconds } = error.details;
  return compact({
    ...metadata,
    details: undefined,
    reason: error.code,
    fieldViolations: fieldViolations?.map(asJson),
    retryAfter: retryAfterSeconds,
  });
}
