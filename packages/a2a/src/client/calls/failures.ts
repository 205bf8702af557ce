import { A2AError } from "../../protocol/internal.js";

/** Whether an error comes from the way to the agent or from its load, so that another attempt may succeed. */
export function isPassing(error: unknown): boolean {
  if (!A2AError.is(error)) return true;
  return error.code === "UNAVAILABLE" || error.code === "RESOURCE_EXHAUSTED";
}

/**
 * The codes by which runtimes report that no connection was made, and `UNSENT`, by which this client reports
 * that it sent nothing. Browsers report no code, so there nothing is certain.
 */
const unsentCodes = new Set([
  "UNSENT",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "ConnectionRefused",
]);

/** Whether the request was certainly never sent, so that sending it again cannot duplicate it. */
export function isUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && unsentCodes.has(String(error.code))) return true;
  // A host with several addresses fails with one error for each address.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(isUnsent);
  }
  return isUnsent(error.cause);
}

/** Whether an agent refuses to stream a task: because the task has ended, or because it never streams. */
export function isRefusedStream(error: unknown): boolean {
  return (
    A2AError.is(error) &&
    (error.code === "UNSUPPORTED_OPERATION" ||
      error.code === "METHOD_NOT_FOUND" ||
      error.code === "TASK_NOT_FOUND")
  );
}

/** Anything that was thrown, as an `Error`. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
