import type { JsonValue } from "@parley/a2a";
import type { ComponentChild } from "preact";
import { useMemo, useState } from "preact/hooks";
import { jsonLines } from "../../model/json-lines.js";
import type { JsonLine } from "../../model/json-lines.js";

/** More lines, and more characters of a text, than anybody reads at once. */
const page = 400;
const longText = 600;

export interface JsonViewProps {
  readonly value: JsonValue;
  /** What it is, for screen readers. */
  readonly label: string;
  /** Containers below this depth are folded at first. */
  readonly foldBelow?: number;
  /** Pointers of what is lost in translation: struck through. */
  readonly lost?: ReadonlySet<string>;
}

/** A JSON value with members that fold. It lays out what it shows and no more, whatever the size and the depth. */
export function JsonView({ value, label, foldBelow = 8, lost }: JsonViewProps): ComponentChild {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [limit, setLimit] = useState(page);
  const { lines, hasMore } = useMemo(
    () =>
      jsonLines(value, {
        limit,
        isFolded: (pointer, depth) => depth >= foldBelow !== toggled.has(pointer),
      }),
    [value, limit, foldBelow, toggled],
  );
  const toggle = (pointer: string): void => {
    const next = new Set(toggled);
    if (!next.delete(pointer)) next.add(pointer);
    setToggled(next);
  };
  return (
    <div class="code" role="group" aria-label={label} tabIndex={0}>
      {lines.map((line, index) => (
        <Line
          key={index}
          line={line}
          isLost={lost !== undefined && isWithin(lost, line.pointer)}
          onToggle={toggle}
        />
      ))}
      {hasMore ? (
        <button type="button" class="json-more" onClick={() => setLimit(limit + page * 4)}>
          more lines
        </button>
      ) : null}
    </div>
  );
}

function Line(props: {
  readonly line: JsonLine;
  readonly isLost: boolean;
  readonly onToggle: (pointer: string) => void;
}): ComponentChild {
  const { line, isLost, onToggle } = props;
  const canFold = line.kind === "open" || line.kind === "folded";
  const indent = Math.min(line.depth, 40) * 14;
  return (
    <div
      class="json-line"
      style={{ paddingLeft: `${indent + 4}px` }}
      data-lost={isLost ? "" : undefined}
      data-pointer={line.pointer}
    >
      {canFold && line.depth > 0 ? (
        <button
          type="button"
          class="json-fold"
          aria-label={`${line.kind === "open" ? "Fold" : "Unfold"} ${line.key ?? line.pointer}`}
          aria-expanded={line.kind === "open"}
          tabIndex={-1}
          onClick={() => onToggle(line.pointer)}
        >
          {line.kind === "open" ? "▾" : "▸"}
        </button>
      ) : null}
      {line.key === undefined ? null : (
        <>
          <span class="json-key">{JSON.stringify(line.key)}</span>
          <span class="json-plain">: </span>
        </>
      )}
      {line.kind === "folded" ? (
        <button type="button" class="json-more" onClick={() => onToggle(line.pointer)}>
          {line.text} {line.size}
        </button>
      ) : (
        <Value line={line} />
      )}
      {line.hasComma ? <span class="json-plain">,</span> : null}
    </div>
  );
}

function Value({ line }: { readonly line: JsonLine }): ComponentChild {
  const [isWhole, setWhole] = useState(false);
  const isLong = line.text.length > longText && !isWhole;
  return (
    <>
      <span class={classes[line.type]}>{isLong ? line.text.slice(0, longText) : line.text}</span>
      {isLong ? (
        <button type="button" class="json-more" onClick={() => setWhole(true)}>
          +{(line.text.length - longText).toLocaleString("en")} characters
        </button>
      ) : null}
    </>
  );
}

const classes: Readonly<Record<JsonLine["type"], string>> = {
  object: "json-plain",
  array: "json-plain",
  string: "json-text",
  number: "json-number",
  boolean: "json-number",
  null: "json-number",
};

/** Whether a pointer, or a container that it is in, is in the set. */
function isWithin(set: ReadonlySet<string>, pointer: string): boolean {
  for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    if (set.has(at)) return true;
  }
  return set.has("");
}
