import { onAbort } from "../../async/internal.js";
import type { AnySignal } from "../../async/internal.js";
import { leftEarly } from "./watcher.js";

/**
 * The result of some work, unless the caller's signal is aborted first. An abort ends only the wait; a later
 * result goes to `letGo`.
 */
export function abandonable<T>(
  work: Promise<T>,
  signal: AnySignal,
  letGo: (late: T) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let hasLeft = false;
    const leave = (): void => {
      hasLeft = true;
      reject(leftEarly());
    };
    const stopListening = onAbort(signal, leave);
    if (signal.aborted) leave();
    work.then(
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
