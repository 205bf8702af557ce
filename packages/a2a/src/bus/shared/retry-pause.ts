const firstMs = 50;
const longestMs = 5000;

/** How long to wait after so many failures in a row. Spread, so that nodes do not come back all at once. */
export function retryPauseMs(failures: number, random: () => number = Math.random): number {
  const pauseMs = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 20));
  return pauseMs * (0.5 + random() / 2);
}
