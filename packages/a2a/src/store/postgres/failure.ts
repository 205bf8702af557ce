import { A2AError } from "../../protocol/internal.js";

/** What a caller of the store gets when the database refuses a statement that should have worked. */
export function toFailure(error: unknown): A2AError {
  if (A2AError.is(error)) return error;
  return new A2AError("UNAVAILABLE", "the store failed; see the cause", { cause: error });
}
