/** Nothing refers to such a promise, so it and whoever waits for it are collected. */
export function forever(): Promise<never> {
  return new Promise(() => undefined);
}
