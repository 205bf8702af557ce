import type { Problem } from "../../contract/index.js";

/** An error that the backend has reported, or that stood between the page and the backend. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";

  readonly problem: Problem;
  /** Absent where no answer came. */
  readonly status: number | undefined;

  constructor(problem: Problem, status?: number) {
    super(problem.message);
    this.problem = problem;
    this.status = status;
  }
}

/** Whatever was thrown, as a problem that can be shown. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return {
    code: "INTERNAL",
    message: error instanceof Error ? error.message : String(error),
  };
}
