import { createDeferred } from "./deferred.js";
import { leftEarly } from "./watch.js";

/**
 * The result of some work, unless its caller leaves before: that ends the wait and nothing else. A result
 * that comes too late is let go of.
 */
export async function unlessLeft<T>(
  signal: AbortSignal | undefined,
  begin: () => Promise<T>,
  letGo: (late: T) => void,
): Promise<T> {
  if (signal === undefined) return begin();
  if (signal.aborted) throw leftEarly();
  const work = begin();
  const left = createDeferred<never>();
  const leave = (): void => left.reject(leftEarly());
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([work, left.promise]);
  } catch (error) {
    work.then(letGo, () => undefined);
    throw error;
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
