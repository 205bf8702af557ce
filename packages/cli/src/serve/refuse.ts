import { UsageError } from "../usage-error.js";

/** A command line that `parley serve` does not understand. */
export function refuse(message: string, cause?: unknown): UsageError {
  return new UsageError(message, { hint: "parley help serve", cause });
}
