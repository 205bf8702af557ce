/** A promise that never settles. Nothing refers to it, so it and whoever awaits it are garbage collected. */
export function neverSettles(): Promise<never> {
  return new Promise(() => undefined);
}
