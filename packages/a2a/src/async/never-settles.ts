/** Nothing refers to such a promise, so it and whoever waits for it are collected. */
export function neverSettles(): Promise<never> {
  return new Promise(() => undefined);
}
