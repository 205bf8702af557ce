/** As it will be stored: what an author changes afterwards, or what is no JSON, is not in it. */
export function copyOf<T>(value: T): T {
  const json = JSON.stringify(value) as string | undefined;
  return JSON.parse(json ?? "null") as T;
}
