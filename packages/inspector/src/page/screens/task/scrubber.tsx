import type { ComponentChild } from "preact";
import { useMemo, useRef } from "preact/hooks";
import {
  formatDuration,
  formatOffset,
  isWaiting,
  nameOfState,
  toneOfState,
} from "../../../model/index.js";
import type { Axis, LogIndex } from "../../../model/index.js";

export interface ScrubberProps {
  readonly index: LogIndex;
  readonly axis: Axis;
  /** Counts up when the log has grown. */
  readonly version: number;
  readonly position: number;
  readonly markA: number | undefined;
  readonly markB: number | undefined;
  readonly onMove: (position: number) => void;
}

/**
 * A slider over the entries of a log, with the states of the task along it. Keys and screen readers have a native range
 * input, which counts entries. The pointer follows the axis, on which time counts, too.
 */
export function Scrubber(props: ScrubberProps): ComponentChild {
  const { index, axis, version, position, onMove } = props;
  const track = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const last = Math.max(0, index.length - 1);
  // The same elements until the log grows: a move of the slider does not look at them.
  const bands = useMemo(
    () =>
      axis
        .bands()
        .map((band) => (
          <span
            key={band.fromPosition}
            class="band"
            data-tone={toneOfState(band.state)}
            data-waiting={isWaiting(band.state) ? "" : undefined}
            style={bandStyle(band.from, band.to)}
          />
        )),
    [axis, version],
  );
  const idles = useMemo(() => axis.idles(), [axis, version]);
  const place = axis.placeOf(position);
  const state = index.stateAt(position);
  const total = index.timeAt(last) - index.timeAt(0);

  const moveTo = (event: PointerEvent): void => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    onMove(axis.positionAt(Math.max(0, Math.min(1, (event.clientX - box.left) / box.width))));
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.shiftKey || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return;
    event.preventDefault();
    event.stopPropagation();
    onMove(index.nextChange(position, event.key === "ArrowRight" ? 1 : -1));
  };

  const marks = [
    { name: "A", at: props.markA },
    { name: "B", at: props.markB },
  ].flatMap(({ name, at }) => (at === undefined ? [] : [{ name, place: axis.placeOf(at) }]));
  const taken = [0, place, 1, ...marks.map((mark) => mark.place)];
  const labels = idles
    .map(({ from, to, ms }) => ({ place: (from + to) / 2, ms }))
    .filter((label) => taken.every((other) => Math.abs(other - label.place) > 0.09));

  return (
    <div class="scrubber">
      <div
        ref={track}
        class="scrubber-track"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          input.current?.focus({ preventScroll: true });
          event.preventDefault();
          moveTo(event);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) moveTo(event);
        }}
      >
        {bands}
        {marks.map(({ name, place: at }) => (
          <span key={name} class="scrubber-mark" style={{ left: percent(at) }} />
        ))}
        <input
          ref={input}
          class="scrubber-range"
          data-testid="scrubber"
          type="range"
          aria-label="Entry of the log"
          aria-valuetext={`entry ${index.sequenceAt(position)} of ${index.sequenceAt(last)}, ${nameOfState(state)}, ${formatOffset(index.timeAt(position) - index.timeAt(0))}`}
          min={index.sequenceAt(0)}
          max={index.sequenceAt(last)}
          step={1}
          value={index.sequenceAt(position)}
          onInput={(event) => onMove(index.positionOf(Number(event.currentTarget.value)))}
          onKeyDown={onKeyDown}
        />
        <span class="scrubber-thumb" style={{ left: percent(place) }} />
      </div>
      <div class="scrubber-labels" aria-hidden="true">
        {taken.every((other) => other === 0 || other > 0.06) && place > 0 ? <span>0 s</span> : null}
        {labels.map((label) => (
          <span key={label.place} class="scrubber-idle" style={labelStyle(label.place)}>
            idle {formatDuration(label.ms)}
          </span>
        ))}
        {marks.map((mark) =>
          Math.abs(mark.place - place) < 0.03 ? null : (
            <span key={mark.name} class="scrubber-label" style={labelStyle(mark.place)}>
              {mark.name}
            </span>
          ),
        )}
        <span class="scrubber-label" style={labelStyle(place)}>
          {index.sequenceAt(position)}
        </span>
        {taken.every((other) => other === 1 || other < 0.86) && place < 1 ? (
          <span class="scrubber-end">{formatDuration(total)}</span>
        ) : null}
      </div>
    </div>
  );
}

/** A band, with a sight of the last one even where the task ended with its last entry. */
function bandStyle(from: number, to: number): { left: string; width: string } {
  const left = Math.min(from, 0.985);
  return { left: percent(left), width: percent(Math.max(0, to - left)) };
}

/** A label in the middle of its place, but within the axis. */
function labelStyle(place: number): { left: string; transform: string } {
  const shift = place < 0.05 ? 0 : place > 0.95 ? 1 : 0.5;
  return { left: percent(place), transform: `translateX(${percent(-shift)})` };
}

function percent(share: number): string {
  return `${Math.round(share * 100_000) / 1000}%`;
}
