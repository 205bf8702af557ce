import { A2AError } from "../../protocol/internal.js";
import { delay } from "../../async/internal.js";
import type { Clock } from "../../async/internal.js";

export interface BackoffOptions {
  readonly clock: Clock;
  /** A number from 0 to 1; `Math.random` when absent. */
  readonly random?: (() => number) | undefined;
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

/** Waits before the next attempt: for as long as the agent asks for, but no shorter than the backoff. */
export async function waitToRetry(
  { clock, random = Math.random }: BackoffOptions,
  failures: number,
  error: unknown,
  signal?: AbortSignal,
): Promise<void> {
  const askedMs = A2AError.is(error) ? (error.details.retryAfterSeconds ?? 0) * 1000 : 0;
  await delay(clock, Math.max(askedMs, backoffMs(failures, random)), signal);
}
