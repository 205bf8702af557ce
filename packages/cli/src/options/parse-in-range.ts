import { UsageError } from "../usage-error.js";

/** A whole number of an option, within its range. */
export function parseInRange(
  option: string,
  text: string,
  hint: string,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  const count = Number(text);
  if (text.trim() !== "" && Number.isInteger(count) && count >= min && count <= max) return count;
  throw new UsageError(`${option} must be a whole number from ${min} to ${max}, not ${text}`, {
    hint,
  });
}
