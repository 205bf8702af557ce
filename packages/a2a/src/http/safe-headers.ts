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
