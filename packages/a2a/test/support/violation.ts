import { A2AError } from "../../src/protocol/internal.js";

/** The code, the field and the reason with which a value is refused. */
export interface Violation {
  readonly code: string;
  readonly field: string | undefined;
  readonly description: string | undefined;
}

/** Gives what `run` is refused with. It throws when `run` throws anything but an `A2AError`, or nothing. */
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
