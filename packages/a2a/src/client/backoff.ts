export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** How long to wait before an attempt, doubling each time, and spread so that clients do not return at once. */
export function backoffMs(attempt: number, { firstMs, maxMs, random }: BackoffOptions): number {
  const ceiling = Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30));
  return ceiling / 2 + (ceiling / 2) * random();
}
