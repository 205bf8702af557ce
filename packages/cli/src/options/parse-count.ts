import { UsageError } from "../usage-error.js";

/** The whole number of an option; `undefined` for an option that is not given. */
export function parseCount(
  option: string,
  text: string | undefined,
  hint: string,
): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (/^\d+$/.test(text) && count < 2 ** 31) return count;
  throw new UsageError(`${option} must be a whole number, not ${text}`, { hint });
}
