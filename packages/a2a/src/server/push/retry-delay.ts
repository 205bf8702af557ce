/** The bounds of the pause after a failed attempt. */
export interface RetryPauses {
  readonly minPushDelayMs: number;
  readonly maxPushDelayMs: number;
}

/**
 * The pause after a number of failed attempts, in whole milliseconds. It doubles with each attempt; up to half of
 * it is cut off at random, so that deliveries that failed together are not retried together.
 */
export function retryDelay(
  attempts: number,
  { minPushDelayMs, maxPushDelayMs }: RetryPauses,
  random: () => number,
): number {
  const longest = Math.min(maxPushDelayMs, minPushDelayMs * 2 ** Math.min(attempts - 1, 52));
  return Math.ceil(Math.max(minPushDelayMs, longest * (1 - random() / 2)));
}
