import { useEffect, useRef, useState } from "preact/hooks";

/**
 * A value that follows another: a frame later, and while the other changes all the time no more often than every `ms`.
 * What costs much to draw takes it, so that what costs little keeps up with the hand. Values of another `kind` cannot be
 * compared: then it follows at once.
 */
export function useCalm(value: number, ms: number, kind?: unknown): number {
  const [shown, setShown] = useState({ value, kind });
  const last = useRef(0);
  const isOfKind = shown.kind === kind;
  useEffect(() => {
    if (value === shown.value && isOfKind) return;
    const wait = isOfKind ? last.current + ms - performance.now() : 0;
    const show = (): void => {
      last.current = performance.now();
      setShown({ value, kind });
    };
    if (wait <= 0) {
      const frame = requestAnimationFrame(show);
      return () => cancelAnimationFrame(frame);
    }
    const timer = setTimeout(show, wait);
    return () => clearTimeout(timer);
  }, [value, kind, shown]);
  return isOfKind ? shown.value : value;
}
