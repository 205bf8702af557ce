import type { A2AError } from "../protocol/internal.js";
import type { HttpHeaders } from "./http-message.js";

/** The headers of an error response, for JSON-RPC and REST. */
export function errorHeaders({ code, details }: A2AError): HttpHeaders {
  const { retryAfterSeconds, challenges = [] } = details;
  const headers: Record<string, string> = {};
  if (retryAfterSeconds !== undefined) {
    headers["Retry-After"] = String(Math.ceil(retryAfterSeconds));
  }
  // A response with status 401 has at least one challenge (RFC 9110, 15.5.2).
  if (challenges.length > 0) headers["WWW-Authenticate"] = challenges.join(", ");
  else if (code === "UNAUTHENTICATED") headers["WWW-Authenticate"] = "Bearer";
  return headers;
}
