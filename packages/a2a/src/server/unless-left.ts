import { onAbort } from "./abort-listeners.js";
import { leftEarly } from "./watch.js";

/**
 * The result of some work, unless its caller leaves before: that ends the wait and nothing else. A result
 * that comes too late is let go of.
 */
export function unlessLeft<T>(
  signal: AbortSignal | undefined,
  begin: () => Promise<T>,
  letGo: (late: T) => void,
): Promise<T> {
  if (signal === undefined) return begin();
  if (signal.aborted) return Promise.reject(leftEarly());
  return new Promise((resolve, reject) => {
    let hasLeft = false;
    const stopListening = onAbort(signal, () => {
      hasLeft = true;
      reject(leftEarly());
    });
    begin().then(
      (result) => {
        stopListening();
        if (hasLeft) letGo(result);
        else resolve(result);
      },
      (error: unknown) => {
        stopListening();
        reject(error);
      },
    );
  });
}
