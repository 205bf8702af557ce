import { callOnce, callStream, createService } from "../../protocol/internal.js";
import type { AgentService, CallContext, Operation } from "../../protocol/internal.js";
import { waitToRetry } from "./backoff.js";
import { isPassing, isUnsent } from "./failures.js";
import type { Timers } from "../timers.js";

/** What changes nothing can be asked again. */
export function isRead(operation: Operation): boolean {
  return /^(?:subscribe|get|list)/.test(operation);
}

export interface RetryOptions {
  readonly timers: Timers;
  /** How often in all a call is tried. */
  readonly maxAttempts: number;
}

/** Tries again while that makes sense and is safe; the last error otherwise. */
export async function retry<T>(
  attempt: () => Promise<T>,
  isSafe: (error: unknown) => boolean,
  { timers, maxAttempts, signal }: RetryOptions & { readonly signal?: AbortSignal | undefined },
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (failures + 1 >= maxAttempts || !isPassing(error) || !isSafe(error)) throw error;
      await waitToRetry(timers, failures, error, signal);
    }
  }
}

/** Whether a call that failed may be made again: reads always, others if they never left or have a key. */
export function isSafeToRepeat(operation: Operation, call: CallContext, error: unknown): boolean {
  const isSend = operation === "sendMessage" || operation === "sendStreamingMessage";
  const isKeyed = isSend && call.idempotencyKey !== undefined;
  return isRead(operation) || isKeyed || isUnsent(error);
}

/** A service that calls again what failed on the way, where that is safe. Streams are left alone. */
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
