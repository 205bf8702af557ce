import type { ComponentChild } from "preact";
import { useMemo } from "preact/hooks";
import type { Connection } from "../../../contract/index.js";
import { diffJson } from "../../../model/index.js";
import { DifferenceBox } from "../task/diff-pane.js";

/** What two cards differ in. */
export function CardDiff({
  sides,
}: {
  readonly sides: readonly [Connection, Connection];
}): ComponentChild {
  const [left, right] = sides;
  const differences = useMemo(() => diffJson(left.card, right.card), [left, right]);
  const served = useMemo(
    () => diffJson(parsed(left.cardText), parsed(right.cardText)),
    [left, right],
  );
  if (differences.length === 0) {
    return (
      <p class="soft">
        Both cards say the same
        {served.length === 0
          ? "."
          : `; as they are written, they differ in ${served.length} places.`}
      </p>
    );
  }
  return (
    <div class="stack" data-testid="diff">
      {differences.map((difference) => (
        <DifferenceBox key={difference.path} {...difference} />
      ))}
    </div>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
