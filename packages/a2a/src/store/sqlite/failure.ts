import { A2AError } from "../../protocol/internal.js";
import { StoreConflict } from "../store-conflict.js";
import { codeOf, problemOf } from "./file/file-problems.js";
import type { Failure, FileFault } from "./operations.js";

/** Converts an error for sending between threads. Any error but an `A2AError` is a fault of the file. */
export function toFailure(error: unknown): Failure {
  if (!A2AError.is(error)) {
    const message = "the store failed; see the cause";
    return { code: "UNAVAILABLE", message, cause: toCause(error), fault: toFault(error) };
  }
  const { code, message, details, cause } = error;
  if (error instanceof StoreConflict) {
    const { head } = error;
    return { code, message, ...(head !== undefined && { head }) };
  }
  return { code, message, details, ...(cause !== undefined && { cause: toCause(cause) }) };
}

export function fromFailure({ code, message, details, cause, head }: Failure): A2AError {
  if (code === "CONCURRENT_MODIFICATION") return new StoreConflict(message, head);
  return new A2AError(code, message, {
    ...(details !== undefined && { details }),
    ...(cause !== undefined && { cause }),
  });
}

/** What an error of the driver or of the system says about the file. */
export function toFault(error: unknown): FileFault {
  const code = codeOf(error);
  const { what, advice } = problemOf(error) ?? { what: "an operation failed" };
  return {
    what,
    ...(advice !== undefined && { advice }),
    detail: toCause(error).message,
    isFull: code === "FULL" || code === "ENOSPC",
    isDamaged: code === "CORRUPT" || code === "NOTADB",
  };
}

/** Cloning drops an error's own members, such as a driver's code, so the code goes into the message. */
function toCause(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const code = "code" in error ? `${String(error.code)}: ` : "";
  return new Error(`${code}${error.message}`, { cause: error.stack });
}
