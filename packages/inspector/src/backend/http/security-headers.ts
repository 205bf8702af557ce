/** What the page may load and do: its own files, and nothing else. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob: data:",
  "media-src blob:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/**
 * What HTML of an agent may do in its frame: show text, styles and the images that it carries. It has no origin, runs no scripts and
 * reaches no network.
 */
const previewPolicy = [
  "sandbox",
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** The headers of every answer. There is never one that lets other origins in. */
const commonHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

export const pageHeaders: Readonly<Record<string, string>> = {
  ...commonHeaders,
  "Content-Security-Policy": pagePolicy,
};

export const apiHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders,
  "Cache-Control": "no-store",
};

export const previewHeaders: Readonly<Record<string, string>> = {
  ...commonHeaders,
  "Content-Security-Policy": previewPolicy,
  "Cache-Control": "no-store",
  "Content-Type": "text/html; charset=utf-8",
};
