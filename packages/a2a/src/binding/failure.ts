import { A2AError } from "../protocol/internal.js";
import type { BindingOptions, MountedAgent } from "./mount.js";

/**
 * The error that a caller gets for something thrown. Adds the authentication challenges of the agents that the
 * call may be for to an error that has none: to UNAUTHENTICATED, and to PERMISSION_DENIED for want of scopes.
 */
export function failureOf(
  error: unknown,
  agents: readonly MountedAgent[],
  options: Pick<BindingOptions, "reportFailure">,
): A2AError {
  const failure = reportInternal(error, options);
  const { code, message, details, cause } = failure;
  const { requiredScopes } = details;
  const isUnknown = code === "UNAUTHENTICATED";
  const lacksScopes = code === "PERMISSION_DENIED" && requiredScopes !== undefined;
  if ((!isUnknown && !lacksScopes) || details.challenges !== undefined) return failure;
  const challenges = agents.flatMap(
    ({ auth }) =>
      (isUnknown ? auth?.challenges : auth?.challengesFor?.(requiredScopes ?? [])) ?? [],
  );
  return new A2AError(code, message, { details: { ...details, challenges }, cause });
}

/** Converts something thrown into the error that a caller gets, and reports the cause of an internal one, which the caller does not learn. */
export function reportInternal(
  error: unknown,
  { reportFailure = reportToConsole }: Pick<BindingOptions, "reportFailure">,
): A2AError {
  const failure = A2AError.from(error);
  if (failure.code === "INTERNAL") reportFailure(failure.cause ?? failure);
  return failure;
}

function reportToConsole(error: unknown): void {
  console.error("a call failed with an internal error:", error);
}
