import { A2AError } from "../../protocol/internal.js";
import { delay } from "../timers.js";
import type { Timers } from "../timers.js";

const firstMs = 200;
const maxMs = 30_000;

/** How long to wait before an attempt, doubling each time, and spread so that clients do not return at once. */
export function backoffMs(attempt: number, random: () => number): number {
  const ceiling = Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30));
  return ceiling / 2 + (ceiling / 2) * random();
}

/** Waits before another attempt: as long as the agent asks for, and no shorter than the backoff. */
export async function waitToRetry(
  timers: Timers,
  attempt: number,
  error: unknown,
  signal?: AbortSignal,
): Promise<void> {
  const asked = A2AError.is(error) ? (error.details.retryAfterSeconds ?? 0) * 1000 : 0;
  await delay(timers, Math.max(asked, backoffMs(attempt, timers.random)), signal);
}
