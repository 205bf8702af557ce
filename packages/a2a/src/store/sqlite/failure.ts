import { A2AError } from "../../protocol/internal.js";
import type { Failure } from "./operations.js";

/** Makes an error ready to travel between threads. Of anything but an `A2AError` only the cause knows more. */
export function toFailure(error: unknown): Failure {
  if (!A2AError.is(error)) {
    return { code: "UNAVAILABLE", message: "the store could not do it", cause: toCause(error) };
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

/** Own members of an error, such as a driver's code, do not survive the passage; its text does. */
function toCause(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const code = "code" in error ? `${String(error.code)}: ` : "";
  return new Error(`${code}${error.message}`, { cause: error.stack });
}
