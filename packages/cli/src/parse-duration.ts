import { UsageError } from "./usage-error.js";

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The milliseconds of a duration such as `7d`, `12h`, `30m` or `45s`; `undefined` for an option that is not given. */
export function parseDuration(
  option: string,
  text: string | undefined,
  hint = "parley help serve",
): number | undefined {
  if (text === undefined) return undefined;
  const [, count = "", unit = ""] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? [];
  const ms = Math.round(Number(count) * (units[unit] ?? 0));
  if (count !== "" && Number.isSafeInteger(ms)) return ms;
  const message = `${option} must be a duration such as 7d, 12h, 30m or 45s, not ${text}`;
  throw new UsageError(message, { hint });
}
