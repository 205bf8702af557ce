import type { A2AError } from "../a2a-error.js";

const reported = new WeakSet<A2AError>();

/** Notes that operators know of an error, so that a binding that passes it on does not tell them again. */
export function markReported(error: A2AError): A2AError {
  reported.add(error);
  return error;
}

export function isReported(error: A2AError): boolean {
  return reported.has(error);
}
