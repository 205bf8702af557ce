import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";

const widths = ["62%", "88%", "74%", "40%", "81%", "56%"];

/** Shown while something loads. Appears after 150 ms, so that what is fast does not flicker. */
export function Skeleton({
  lines = 4,
  label = "Loading",
}: {
  lines?: number;
  label?: string;
}): ComponentChild {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="skeleton" role="status" aria-label={label}>
      {isShown
        ? Array.from({ length: lines }, (_, line) => (
            <span key={line} style={{ width: widths[line % widths.length] ?? "60%" }} />
          ))
        : null}
    </div>
  );
}
