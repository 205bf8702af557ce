import { A2AError, callOnce, callStream, createService } from "../../protocol/internal.js";
import type {
  AgentService,
  CallableService,
  CallContext,
  Operation,
} from "../../protocol/internal.js";
import { delay } from "../../async/internal.js";
import type { Clock } from "../../async/internal.js";

export interface BackoffOptions {
  readonly clock: Clock;
  /** A number from 0 to 1; `Math.random` when absent. */
  readonly random?: (() => number) | undefined;
}

export interface RetryOptions extends BackoffOptions {
  /** How many times in all a call is tried. */
  readonly maxAttempts: number;
}

/**
 * A service in front of a service: repeats calls that failed on the way, where that is safe. Streams pass
 * through; `follow` keeps those going. Calls without a context get the `fallback`.
 */
export function withRetries(
  service: AgentService,
  options: RetryOptions,
  fallback?: CallContext,
): CallableService {
  return createService(
    (operation, request, call) =>
      retry(
        () => callOnce(service, operation, request, call),
        (error) => isSafeToRepeat(operation, call, error),
        { ...options, signal: call.signal },
      ),
    (operation, request, call) => callStream(service, operation, request, call),
    fallback,
  );
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
      if (failures + 1 >= maxAttempts || !isTransient(error) || !isSafe(error)) throw error;
      await waitToRetry(options, failures, error, signal);
    }
  }
}

/**
 * Whether an error comes from the way to the agent or from its load, so that another attempt may succeed soon. An agent
 * that asks for more than five minutes is not called again: whoever called decides when.
 */
export function isTransient(error: unknown): boolean {
  if (!A2AError.is(error)) return true;
  const { code, details } = error;
  const isPassing = code === "UNAVAILABLE" || code === "RESOURCE_EXHAUSTED";
  return isPassing && (details.retryAfterSeconds ?? 0) <= 300;
}

/**
 * Whether a failed call may be repeated: a read always, a send with an idempotency key, and what was never
 * sent.
 */
export function isSafeToRepeat(operation: Operation, call: CallContext, error: unknown): boolean {
  const isKeyed = operation.startsWith("send") && call.idempotencyKey !== undefined;
  return isRead(operation) || isKeyed || isUnsent(error);
}

/** Whether an operation changes nothing, so that it can be repeated. */
export function isRead(operation: Operation): boolean {
  return /^(?:subscribe|get|list)/.test(operation);
}

/**
 * The codes by which runtimes report that no connection was made, and `UNSENT`, by which this client reports
 * that it sent nothing. Browsers report no code, so there nothing is certain.
 */
const unsentCodes = new Set([
  "UNSENT",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "ConnectionRefused",
]);

/** Whether the request was certainly never sent, so that sending it again cannot duplicate it. */
export function isUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && unsentCodes.has(String(error.code))) return true;
  // A host with several addresses fails with one error for each address.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(isUnsent);
  }
  return isUnsent(error.cause);
}

/** Waits before the next attempt, for the longer of what the agent asks for (Retry-After) and the backoff. */
export async function waitToRetry(
  { clock, random = Math.random }: BackoffOptions,
  failures: number,
  error: unknown,
  signal?: AbortSignal,
): Promise<void> {
  const askedMs = A2AError.is(error) ? (error.details.retryAfterSeconds ?? 0) * 1000 : 0;
  await delay(clock, Math.max(askedMs, backoffMs(failures, random)), signal);
}

const firstMs = 200;
const maxMs = 30_000;

/**
 * The pause after so many failed attempts: doubles each time, and is random so that clients do not return
 * at once.
 */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(maxMs, firstMs * 2 ** Math.min(failures, 30));
  return ceiling / 2 + (ceiling / 2) * random();
}
