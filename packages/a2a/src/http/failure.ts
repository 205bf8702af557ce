import { A2AError } from "../protocol/internal.js";
import type { Exchange } from "./exchange.js";
import type { HttpOptions } from "./http-options.js";

/** What a caller is told of something thrown. Who is not known is told how to be. */
export function failureOf(error: unknown, { site, options }: Exchange): A2AError {
  const failure = reportedFailure(error, options);
  const { code, message, details } = failure;
  if (code !== "UNAUTHENTICATED" || details.challenges !== undefined) return failure;
  const challenges = site.hosts.flatMap(({ auth }) => auth?.challenges ?? []);
  return new A2AError(code, message, { details: { ...details, challenges } });
}

/** What a caller is told. What it is not told is reported instead. */
export function reportedFailure(
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
