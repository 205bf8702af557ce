import { protocolErrorCodes } from "../../protocol/internal.js";
import type { A2AError, JsonObject } from "../../protocol/internal.js";
import { asJson } from "../members/as-json.js";
import { isSentWithoutDetails } from "./json-rpc-codes.js";

const protocolDomain = "a2a-protocol.org";
const libraryDomain = "parley";
const typePrefix = "type.googleapis.com/google.rpc.";

/** The typed details of an error (§5.4): the reason, the fields, and when to try again. */
export function typedDetails(error: A2AError, withReason: boolean): readonly JsonObject[] {
  const { fieldViolations, metadata, retryAfterSeconds } = error.details;
  const isProtocol = (protocolErrorCodes as readonly string[]).includes(error.code);
  const info: JsonObject = {
    "@type": `${typePrefix}ErrorInfo`,
    reason: error.code,
    domain: isProtocol ? protocolDomain : libraryDomain,
    ...(metadata !== undefined && !isSentWithoutDetails(error.code) && { metadata }),
  };
  return [
    ...(withReason ? [info] : []),
    ...(fieldViolations === undefined
      ? []
      : [{ "@type": `${typePrefix}BadRequest`, fieldViolations: fieldViolations.map(asJson) }]),
    ...(retryAfterSeconds === undefined
      ? []
      : [{ "@type": `${typePrefix}RetryInfo`, retryDelay: `${retryAfterSeconds}s` }]),
  ];
}
