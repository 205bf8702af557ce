import type { Outcome, Output } from "../author/output.js";

/** True for what a handler that yields returns. */
export function isGenerator(value: unknown): value is AsyncGenerator<Output, Outcome, void> {
  const isObject = typeof value === "object" && value !== null;
  return isObject && Symbol.asyncIterator in value && "next" in value;
}
