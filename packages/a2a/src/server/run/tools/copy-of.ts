/** A copy through JSON: the value as it will be stored, which the author's code cannot change afterwards. */
export function copyOf<T>(value: T): T {
  const json = JSON.stringify(value) as string | undefined;
  return JSON.parse(json ?? "null") as T;
}
