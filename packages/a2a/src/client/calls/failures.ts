import { A2AError } from "../../protocol/internal.js";

/** Errors of the way rather than of the agent: worth another try. */
export function isPassing(error: unknown): boolean {
  if (!A2AError.is(error)) return true;
  return error.code === "UNAVAILABLE" || error.code === "RESOURCE_EXHAUSTED";
}

/**
 * What runtimes call the failures to connect at all, and this client those before it tries. Browsers do
 * not tell; there nothing is certain.
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

/** Whether it is certain that the request never left, so that sending it again cannot double it. */
export function isUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && unsentCodes.has(String(error.code))) return true;
  // A host with several addresses fails with an error for each of them.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(isUnsent);
  }
  return isUnsent(error.cause);
}

/** How agents refuse to stream: the task has ended, or they never do. */
export function isRefusedStream(error: unknown): boolean {
  return (
    A2AError.is(error) &&
    (error.code === "UNSUPPORTED_OPERATION" ||
      error.code === "METHOD_NOT_FOUND" ||
      error.code === "TASK_NOT_FOUND")
  );
}

/** What was thrown, as an error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
