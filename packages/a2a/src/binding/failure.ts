import { A2AError } from "../protocol/internal.js";
import { consoleLog, countRefusal, isCounted, isReported } from "../protocol/telemetry/internal.js";
import type { CallContext } from "../protocol/internal.js";
import type { BindingOptions, MountedAgent } from "./mount.js";

/** Where a failure is reported and counted. */
interface FailureOptions {
  readonly reportFailure?: BindingOptions["reportFailure"] | undefined;
  readonly telemetry?: BindingOptions["telemetry"] | undefined;
  readonly binding?: CallContext["binding"];
}

/**
 * The error that a caller gets for something thrown. Adds the authentication challenges of the agents that the
 * call may be for to an error that has none: to UNAUTHENTICATED, and to PERMISSION_DENIED for want of scopes.
 */
export function failureOf(
  error: unknown,
  agents: readonly MountedAgent[],
  options: FailureOptions,
): A2AError {
  const failure = reportInternal(error, options);
  const { code, message, details, cause } = failure;
  const { telemetry, binding } = options;
  if (telemetry?.metrics !== undefined && binding !== undefined && !isCounted(error)) {
    countRefusal(telemetry.metrics, binding, code);
  }
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
  { reportFailure, telemetry }: Pick<FailureOptions, "reportFailure" | "telemetry">,
): A2AError {
  const failure = A2AError.from(error);
  if (failure.code === "INTERNAL") {
    const err = failure.cause ?? failure;
    if (reportFailure !== undefined) reportFailure(err);
    // What a runtime has reported, under the reference that the caller gets, is not told twice.
    else if (!isReported(failure)) (telemetry?.log ?? consoleLog)("error", "call.failed", { err });
  }
  return failure;
}
