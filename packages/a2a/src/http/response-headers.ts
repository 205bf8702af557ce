import type { A2AError, CallContext } from "../protocol/internal.js";
import { extensionHeader, formatExtensions } from "../wire/internal.js";
import type { HttpHeaders, HttpResponse } from "./http-message.js";

/**
 * The headers of every answer that does not set its own: caches keep nothing, browsers do not guess the type, and
 * an answer opened in a browser loads nothing, is framed nowhere and sends no referrer.
 */
const safeHeaders: HttpHeaders = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
};

/** The headers that many answers share, each with the safe ones added. */
const prepared = new WeakMap<HttpHeaders, HttpHeaders>();

export function withSafeHeaders(response: HttpResponse): HttpResponse {
  const safe = prepared.get(response.headers) ?? { ...safeHeaders, ...response.headers };
  if ("stream" in response) return { ...response, headers: safe };
  const { status, body } = response;
  return body === undefined ? { status, headers: safe } : { status, headers: safe, body };
}

/** Prepares headers that many answers share: the safe ones are added now, and not for every answer. */
export function sharedHeaders(headers: HttpHeaders): HttpHeaders {
  prepared.set(headers, { ...safeHeaders, ...headers });
  return headers;
}

/** Tells the caller which of the requested extensions are active. */
export function extensionHeaders({ version, extensions = [] }: CallContext): HttpHeaders {
  if (extensions.length === 0) return {};
  return { [extensionHeader(version)]: formatExtensions(extensions) };
}

/** The headers themselves where no extension is active: what is prepared for shared headers stays valid. */
export function addExtensionHeaders(headers: HttpHeaders, call: CallContext): HttpHeaders {
  return call.extensions?.length ? { ...headers, ...extensionHeaders(call) } : headers;
}

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
