/** How long is waited after failed attempts. */
export interface RetryPauses {
  readonly minPushDelayMs: number;
  readonly maxPushDelayMs: number;
}

/**
 * The pause after so many failed attempts, in whole milliseconds: doubled with each, and a random half of it left away, so that
 * what failed together does not come back together.
 */
export function retryDelay(
  attempts: number,
  { minPushDelayMs, maxPushDelayMs }: RetryPauses,
  random: () => number = Math.random,
): number {
  const longest = Math.min(maxPushDelayMs, minPushDelayMs * 2 ** Math.min(attempts - 1, 52));
  return Math.ceil(Math.max(minPushDelayMs, longest * (1 - random() / 2)));
}
