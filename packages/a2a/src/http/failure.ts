import { A2AError } from "../protocol/index.js";
import type { HttpOptions } from "./hosted-agent.js";

/** What a caller is told of something thrown. What it is not told is reported instead. */
export function failureOf(
  error: unknown,
  { reportFailure = reportToConsole }: HttpOptions,
): A2AError {
  const failure = A2AError.from(error);
  if (failure.code === "INTERNAL") reportFailure(failure.cause ?? failure);
  return failure;
}

function reportToConsole(error: unknown): void {
  console.error("a request failed:", error);
}
