import { onLeave } from "../../async/internal.js";
import type { Leaving } from "../../async/internal.js";
import { leftEarly } from "./watch.js";

/**
 * The result of some work, unless its caller leaves before: that ends the wait and nothing else. A result
 * that comes too late is let go of.
 */
export function abandonable<T>(
  leaving: Leaving | undefined,
  begin: () => Promise<T>,
  letGo: (late: T) => void,
): Promise<T> {
  if (leaving === undefined) return begin();
  if (leaving.aborted) return Promise.reject(leftEarly());
  return new Promise((resolve, reject) => {
    let hasLeft = false;
    const stopListening = onLeave(leaving, () => {
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
