import type { ComponentChild } from "preact";
import { useMemo } from "preact/hooks";
import {
  formatDuration,
  formatOffset,
  SpanAxis,
  spanOfDelivery,
  spanOfHop,
  spanOfPush,
  spansOfLog,
} from "../../../model/index.js";
import type { LogIndex, Span } from "../../../model/index.js";
import { allHops, hopsVersion } from "../../state/hops.js";
import { deliveries, pushAttempts } from "../../state/pushes.js";
import { EmptyState, VisibleName } from "../../ui/index.js";

const tones: Record<Span["kind"], string> = {
  queued: "neutral",
  run: "working",
  step: "accent",
  stream: "artifact",
  waiting: "waiting",
  push: "done",
  hop: "neutral",
};

export interface WaterfallPaneProps {
  readonly index: LogIndex;
  readonly version: number;
  readonly onMove: (position: number) => void;
}

const shownAtMost = 200;

/** What a task spent its time on, and what was sent because of it, which may be later than its last entry. */
export function WaterfallPane(props: WaterfallPaneProps): ComponentChild {
  const { index, version, onMove } = props;
  const hops = hopsVersion.value;
  const attempts = pushAttempts.value;
  const arrived = deliveries.value;
  const spans = useMemo(() => {
    const ofHops = allHops().flatMap(({ summary }) =>
      summary.taskId === index.taskId ? [spanOfHop(summary)] : [],
    );
    const sent = attempts.filter(({ taskId }) => taskId === index.taskId);
    // What has arrived here was sent in one of the attempts, where those are known.
    const received = arrived.filter(({ taskId }) => taskId === index.taskId && sent.length === 0);
    const ofPush = [
      ...sent.map((push) => spanOfPush(push, index)),
      ...received.map(spanOfDelivery),
    ];
    return [...spansOfLog(index), ...ofPush, ...ofHops];
  }, [index, version, hops, attempts, arrived]);
  if (spans.length === 0) {
    return (
      <EmptyState title="No spans">
        A log without runs, steps or chunks tells of no time that was spent.
      </EmptyState>
    );
  }
  const begin = index.timeAt(0);
  const shown = spans.slice(0, shownAtMost);
  const axis = new SpanAxis(shown);
  return (
    <ol class="waterfall">
      {shown.map((span, row) => {
        const from = axis.placeAt(span.from);
        const to = span.to === undefined ? 1 : axis.placeAt(span.to);
        return (
          <li
            key={row}
            class="span"
            data-kind={span.kind}
            data-failed={span.isFailed === true ? "" : undefined}
          >
            <button
              type="button"
              class="span-name"
              style={{ paddingLeft: `${span.depth * 12 + 8}px` }}
              onClick={() => span.position !== undefined && onMove(span.position)}
              title={`${span.name}, from ${formatOffset(span.from - begin)}${span.detail === undefined ? "" : `, ${span.detail}`}`}
            >
              <VisibleName name={span.name} />
              {span.detail === undefined ? null : <span class="soft"> {span.detail}</span>}
            </button>
            <span class="span-track" aria-hidden="true">
              <span
                class="span-bar"
                data-tone={span.isFailed === true ? "failed" : tones[span.kind]}
                data-open={span.to === undefined ? "" : undefined}
                style={{ left: `${from * 100}%`, width: `${Math.max(0, to - from) * 100}%` }}
              />
              {(span.marks ?? []).map((mark) => (
                <span
                  key={mark.name}
                  class="span-mark"
                  title={mark.name}
                  style={{ left: `${axis.placeAt(mark.at) * 100}%` }}
                />
              ))}
            </span>
            <span class="span-length">{lengthOf(span)}</span>
          </li>
        );
      })}
      {spans.length > shownAtMost ? (
        <li class="soft">and {spans.length - shownAtMost} more</li>
      ) : null}
    </ol>
  );
}

function lengthOf({ from, to }: Span): string {
  if (to === undefined) return "still";
  return to === from ? "" : formatDuration(to - from);
}
