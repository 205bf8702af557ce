import { parseDuration } from "../parse-duration.js";
import { UsageError } from "../usage-error.js";

/** The milliseconds of a short duration such as `500ms`, `2s` or `5m`; a bare number counts seconds. */
export function parseWait(option: string, text: string, hint: string): number {
  const [, ms] = /^(\d+)ms$/.exec(text) ?? [];
  const duration = ms === undefined ? parseSeconds(option, text, hint) : Number(ms);
  if (duration > 0 && duration < 2 ** 31) return duration;
  throw new UsageError(`${option} must be more than nothing and less than 25 days, not ${text}`, {
    hint,
  });
}

function parseSeconds(option: string, text: string, hint: string): number {
  return parseDuration(option, /^\d+(?:\.\d+)?$/.test(text) ? `${text}s` : text, hint) ?? 0;
}
