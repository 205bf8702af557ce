import { A2AError } from "../../protocol/internal.js";
import type { Failure } from "./operations.js";

/** Converts an error for sending between threads. Any error but an `A2AError` becomes the cause of `UNAVAILABLE`. */
export function toFailure(error: unknown): Failure {
  if (!A2AError.is(error)) {
    return {
      code: "UNAVAILABLE",
      message: "the store failed; see the cause",
      cause: toCause(error),
    };
  }
  const { code, message, details, cause } = error;
  return { code, message, details, ...(cause !== undefined && { cause: toCause(cause) }) };
}

export function fromFailure({ code, message, details, cause }: Failure): A2AError {
  return new A2AError(code, message, {
    ...(details !== undefined && { details }),
    ...(cause !== undefined && { cause }),
  });
}

/** Cloning drops an error's own members, such as a driver's code, so the code goes into the message. */
function toCause(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const code = "code" in error ? `${String(error.code)}: ` : "";
  return new Error(`${code}${error.message}`, { cause: error.stack });
}
