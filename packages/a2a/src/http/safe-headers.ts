import type { HttpHeaders } from "./http-message.js";

/**
 * On every answer that does not say otherwise: it is kept nowhere, is what it says it is, and, opened in a
 * browser, loads nothing, is framed by nothing and tells nobody where it was.
 */
export const safeHeaders: HttpHeaders = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
};
