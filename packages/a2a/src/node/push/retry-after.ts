const maxRetryAfterMs = 24 * 60 * 60 * 1000;

/** How long `Retry-After` asks to wait, in seconds or until a date (RFC 9110, 10.2.3); a day at most. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (text === "") return undefined;
  const waitMs = /^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text) - now;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), maxRetryAfterMs);
}
