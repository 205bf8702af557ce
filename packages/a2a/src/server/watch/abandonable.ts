import { onAbort } from "../../async/internal.js";
import type { AnySignal } from "../../async/internal.js";
import { leftEarly } from "./watcher.js";

/**
 * The result of some work, unless the caller's signal is aborted first. That ends the caller's wait, not the
 * work; a result that arrives after it goes to `letGo`.
 */
export function abandonable<T>(
  signal: AnySignal | undefined,
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
