import type { A2AError } from "../protocol/index.js";
import type { HttpHeaders } from "./http-message.js";

/** What an error says in headers, in every binding over HTTP. */
export function errorHeaders(error: A2AError): HttpHeaders {
  const { retryAfterSeconds } = error.details;
  return {
    ...(retryAfterSeconds !== undefined && { "Retry-After": String(Math.ceil(retryAfterSeconds)) }),
    ...(error.code === "UNAUTHENTICATED" && { "WWW-Authenticate": "Bearer" }),
  };
}
