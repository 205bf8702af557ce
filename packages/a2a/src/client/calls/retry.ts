import { callOnce, callStream, createService } from "../../protocol/internal.js";
import type { AgentService, CallContext, Operation } from "../../protocol/internal.js";
import { waitToRetry } from "./backoff.js";
import type { BackoffOptions } from "./backoff.js";
import { isPassing, isUnsent } from "./failures.js";

/** Whether an operation changes nothing, so that it can be repeated. */
export function isRead(operation: Operation): boolean {
  return /^(?:subscribe|get|list)/.test(operation);
}

export interface RetryOptions extends BackoffOptions {
  /** How many times in all a call is tried. */
  readonly maxAttempts: number;
}

/** Repeats an attempt while its error may pass and repeating is safe; throws the last error otherwise. */
export async function retry<T>(
  attempt: () => Promise<T>,
  isSafe: (error: unknown) => boolean,
  options: RetryOptions & { readonly signal?: AbortSignal | undefined },
): Promise<T> {
  const { maxAttempts, signal } = options;
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (failures + 1 >= maxAttempts || !isPassing(error) || !isSafe(error)) throw error;
      await waitToRetry(options, failures, error, signal);
    }
  }
}

/**
 * Whether a failed call may be repeated: a read always, a send with an idempotency key, and what was never
 * sent.
 */
export function isSafeToRepeat(operation: Operation, call: CallContext, error: unknown): boolean {
  const isSend = operation === "sendMessage" || operation === "sendStreamingMessage";
  const isKeyed = isSend && call.idempotencyKey !== undefined;
  return isRead(operation) || isKeyed || isUnsent(error);
}

/**
 * A service in front of a service: repeats calls that failed on the way, where that is safe. Streams pass
 * through; `follow` keeps those going.
 */
export function withRetries(service: AgentService, options: RetryOptions): AgentService {
  return createService(
    (operation, request, call) =>
      retry(
        () => callOnce(service, operation, request, call),
        (error) => isSafeToRepeat(operation, call, error),
        { ...options, signal: call.signal },
      ),
    (operation, request, call) => callStream(service, operation, request, call),
  );
}
