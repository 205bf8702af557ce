import type { A2AError, JsonObject } from "../../protocol/internal.js";
import { asJson, compact } from "../members/as-json.js";
import { isSentWithoutDetails } from "./json-rpc-codes.js";

/**
 * The `data` object of an error before 1.0: the case in words (`details`), the reason, the fields, the metadata, and
 * when to try again.
 */
export function plainDetails(error: A2AError): JsonObject {
  const { code, message: details } = error;
  if (isSentWithoutDetails(code)) return { details };
  const { fieldViolations, metadata, retryAfterSeconds } = error.details;
  return compact({
    ...metadata,
    reason: code,
    details,
    fieldViolations: fieldViolations?.map(asJson),
    retryAfter: retryAfterSeconds === undefined ? undefined : Math.ceil(retryAfterSeconds),
  });
}
