/** The named members of an object that are set. */
export function pick<T extends object, K extends keyof T>(
  source: T,
  names: readonly K[],
): { [N in K]?: Exclude<T[N], undefined> } {
  const set = names.filter((name) => source[name] !== undefined);
  return Object.fromEntries(set.map((name) => [name, source[name]])) as {
    [N in K]?: Exclude<T[N], undefined>;
  };
}

/** The given members, and defaults for those that are absent or `undefined`. */
export function withDefaults<T extends object, G extends object>(
  defaults: T,
  given: G | undefined,
): T & G {
  const set = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaults, ...(Object.fromEntries(set) as G) };
}
