import type { A2AError, JsonObject } from "../../protocol/internal.js";
import { asJson } from "../members/as-json.js";
import { errorWords } from "./error-words.js";
import { isSentWithoutDetails } from "./json-rpc-codes.js";

const protocolDomain = "a2a-protocol.org";
const libraryDomain = "parley";
const typePrefix = "type.googleapis.com/google.rpc.";

/**
 * The typed details of an error (§5.4): the reason, the fields, and when to try again. Every error has a reason, also
 * where its number or status says the same: clients look for nothing else, and only in the domain of the protocol.
 */
export function typedDetails({ code, details }: A2AError): readonly JsonObject[] {
  const { fieldViolations, metadata, retryAfterSeconds } = details;
  return [
    {
      "@type": `${typePrefix}ErrorInfo`,
      reason: code,
      domain: code in errorWords ? protocolDomain : libraryDomain,
      ...(metadata !== undefined && !isSentWithoutDetails(code) && { metadata }),
    },
    ...(fieldViolations === undefined
      ? []
      : [{ "@type": `${typePrefix}BadRequest`, fieldViolations: fieldViolations.map(asJson) }]),
    ...(retryAfterSeconds === undefined
      ? []
      : [{ "@type": `${typePrefix}RetryInfo`, retryDelay: `${retryAfterSeconds}s` }]),
  ];
}
