import type { HttpHeaders, HttpResponse } from "./http-message.js";

/**
 * On every answer that does not say otherwise: it is kept nowhere, is what it says it is, and, opened in a
 * browser, loads nothing, is framed by nothing and tells nobody where it was.
 */
const safeHeaders: HttpHeaders = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
};

/** Headers that many answers share, with the safe ones among them. */
const known = new WeakMap<HttpHeaders, HttpHeaders>();

export function withSafeHeaders(response: HttpResponse): HttpResponse {
  const safe = known.get(response.headers) ?? { ...safeHeaders, ...response.headers };
  if ("stream" in response) return { ...response, headers: safe };
  const { status, body } = response;
  return body === undefined ? { status, headers: safe } : { status, headers: safe, body };
}

/** Headers for many answers, to which the safe ones are added once. */
export function sharedHeaders(headers: HttpHeaders): HttpHeaders {
  known.set(headers, { ...safeHeaders, ...headers });
  return headers;
}
