/** The named members of an object that are set. */
export function pick<T extends object, K extends keyof T>(
  source: T,
  ...names: readonly K[]
): Pick<T, K> {
  const set = names.filter((name) => source[name] !== undefined);
  return Object.fromEntries(set.map((name) => [name, source[name]])) as Pick<T, K>;
}
