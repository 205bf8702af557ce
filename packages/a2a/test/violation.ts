import { A2AError } from "../src/protocol/internal.js";

/** Where and why a value is refused, and as what. */
export interface Violation {
  readonly code: string;
  readonly field: string | undefined;
  readonly description: string | undefined;
}

/** What `run` is refused with; anything but an `A2AError` is thrown on, and so is no refusal at all. */
export function violation(run: () => unknown): Violation {
  try {
    run();
  } catch (error) {
    if (!A2AError.is(error)) throw error;
    const [first] = error.details.fieldViolations ?? [];
    return { code: error.code, field: first?.field, description: first?.description };
  }
  throw new Error("expected a refusal, got none");
}
