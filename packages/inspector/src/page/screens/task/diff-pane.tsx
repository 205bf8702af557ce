import type { ComponentChild } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { diffStates, diffTexts } from "../../../model/index.js";
import type { Difference, LogIndex, TextStretch } from "../../../model/index.js";
import { Button, Chip, EmptyState } from "../../ui/index.js";

export interface DiffPaneProps {
  readonly index: LogIndex;
  readonly version: number;
  /** Positions of the two marks. */
  readonly a: number;
  readonly b: number;
  readonly onMove: (position: number) => void;
}

/** What changed of a task between two entries of its log. */
export function DiffPane({ index, version, a, b, onMove }: DiffPaneProps): ComponentChild {
  const differences = useMemo(() => diffStates(index.at(a), index.at(b)), [index, version, a, b]);
  const [from, to] = a <= b ? [a, b] : [b, a];
  return (
    <div
      class="stack"
      data-testid="diff"
      data-from={index.sequenceAt(from)}
      data-to={index.sequenceAt(to)}
    >
      <p class="row">
        <span class="soft">From</span>
        <Button shape="text" onClick={() => onMove(from)}>
          entry {index.sequenceAt(from)}
        </Button>
        <span class="soft">to</span>
        <Button shape="text" onClick={() => onMove(to)}>
          entry {index.sequenceAt(to)}
        </Button>
        <span class="soft push-right">
          {differences.length === 1 ? "1 difference" : `${differences.length} differences`}
        </span>
      </p>
      {differences.length === 0 ? (
        <EmptyState title="Nothing that callers see has changed">
          Press a at one entry and b at another: the difference of the two stands here.
        </EmptyState>
      ) : (
        differences.map((difference) => <DifferenceBox key={difference.path} {...difference} />)
      )}
    </div>
  );
}

const looks = {
  added: { tone: "done", word: "added" },
  removed: { tone: "failed", word: "removed" },
  changed: { tone: "waiting", word: "changed" },
  grown: { tone: "working", word: "grown" },
} as const;

/** One difference: where, and what it was and is. */
export function DifferenceBox({ path, kind, before, after }: Difference): ComponentChild {
  const { tone, word } = looks[kind];
  return (
    <div class="difference">
      <div class="row">
        <code class="strong">{path}</code>
        <Chip tone={tone} plain>
          {word}
        </Chip>
      </div>
      <div class="difference-text" data-kind={kind} tabIndex={0} role="group" aria-label={path}>
        {kind === "changed" ? (
          <ChangedText before={before ?? ""} after={after ?? ""} />
        ) : kind === "removed" ? (
          <del>{before}</del>
        ) : (
          <ins>{after}</ins>
        )}
      </div>
    </div>
  );
}

/** How one text became another, word by word once the package that compares has come. */
function ChangedText({ before, after }: { before: string; after: string }): ComponentChild {
  const [stretches, setStretches] = useState<readonly TextStretch[]>([
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ]);
  useEffect(() => {
    let isCurrent = true;
    diffTexts(before, after).then(
      (found) => isCurrent && setStretches(found),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [before, after]);
  return stretches.map(({ kind, text }, index) =>
    kind === "added" ? (
      <ins key={index}>{text}</ins>
    ) : kind === "removed" ? (
      <del key={index}>{text}</del>
    ) : (
      <span key={index}>{text}</span>
    ),
  );
}
