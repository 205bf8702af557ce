import { isTerminal } from "@parley/a2a";
import type { ComponentChild } from "preact";
import { useMemo, useState } from "preact/hooks";
import { defaultRowOptions, formatCount, formatDuration, Rows } from "../../../model/index.js";
import type { RowOptions } from "../../../model/index.js";
import { VirtualList } from "../../list/virtual-list.js";
import { Button, Mark, stateLook } from "../../ui/index.js";
import type { OpenLog } from "./open-log.js";
import { Scrubber } from "./scrubber.js";
import { TimelineRows } from "./timeline-rows.js";
import type { TaskMoment } from "./use-moment.js";
import { useMedia } from "./use-media.js";

export interface TimelineProps {
  readonly log: OpenLog;
  readonly moment: TaskMoment;
  /** Whether the entries are listed below the axis. */
  readonly hasRows: boolean;
}

/** The life of a task: its states on an axis, and its entries. */
export function Timeline({ log, moment, hasRows }: TimelineProps): ComponentChild {
  const { index } = log;
  const version = log.version.value;
  const [options, setOptions] = useState<RowOptions>(defaultRowOptions);
  const last = index.length - 1;
  const duration = index.timeAt(last) - index.timeAt(0);
  const { tone, word } = stateLook(index.stateAt(moment.position));
  return (
    <section class="timeline" aria-label="Timeline">
      <div class="timeline-head">
        <h3>Timeline</h3>
        <span class="soft">
          {formatCount(index.length)} {index.length === 1 ? "entry" : "entries"} ·{" "}
          {formatDuration(duration)}
        </span>
        <div class="toolbar push-right">
          <label class="check">
            <input
              type="checkbox"
              checked={options.showsPrivate}
              onChange={(event) =>
                setOptions({ ...options, showsPrivate: event.currentTarget.checked })
              }
            />
            Private
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={options.order === "newest"}
              onChange={(event) =>
                setOptions({ ...options, order: event.currentTarget.checked ? "newest" : "oldest" })
              }
            />
            Newest first
          </label>
          <FollowButton isEnded={isTerminal(index.stateAt(last))} moment={moment} />
          <span class="at-badge">
            <span data-tone={tone}>
              <Mark tone={tone} /> {word}
            </span>
            <span>at {index.sequenceAt(moment.position)}</span>
          </span>
        </div>
      </div>
      <Scrubber
        index={index}
        axis={log.axis}
        version={version}
        position={moment.position}
        markA={moment.markA}
        markB={moment.markB}
        onMove={moment.moveTo}
      />
      {hasRows ? <TimelineList log={log} moment={moment} options={options} /> : null}
    </section>
  );
}

/** Follows the log, or stays where it is. A log that has ended can only be gone to the end of. */
function FollowButton(props: {
  readonly isEnded: boolean;
  readonly moment: TaskMoment;
}): ComponentChild {
  const { isEnded, moment } = props;
  if (isEnded && moment.isLive) return null;
  return (
    <Button
      kind="quiet"
      testId="live"
      onClick={moment.toggleLive}
      {...(isEnded ? {} : { pressed: moment.isLive })}
    >
      {isEnded ? (
        "To the end"
      ) : (
        <>
          <Mark
            tone={moment.isLive ? "working" : "neutral"}
            shape={moment.isLive ? "dot" : "ring"}
          />
          {moment.isLive ? "Live" : "Paused"}
        </>
      )}
    </Button>
  );
}

/** The entries of a task. */
export function TimelineList(props: {
  readonly log: OpenLog;
  readonly moment: TaskMoment;
  readonly options?: RowOptions;
}): ComponentChild {
  const { log, moment, options = defaultRowOptions } = props;
  const version = log.version.value;
  const isNarrow = useMedia("(max-width: 720px)");
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => new Rows(log.index, options, open), [log.index, options, open]);
  rows.sync();
  const list = useMemo(
    () =>
      new TimelineRows(rows, isNarrow ? 44 : 32, (from) =>
        setOpen((known) => {
          const next = new Set(known);
          if (!next.delete(from)) next.add(from);
          return next;
        }),
      ),
    [rows, isNarrow],
  );
  const toggle = (row: number): void => {
    const from = rows.groupOf(row);
    if (from === undefined) return;
    setOpen((known) => {
      const next = new Set(known);
      if (!next.delete(from)) next.add(from);
      return next;
    });
  };
  const onOtherKey = (event: KeyboardEvent): void => {
    const { position } = moment;
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key] as 1 | -1 | undefined;
    if (direction !== undefined) {
      moment.moveTo(
        event.shiftKey ? log.index.nextChange(position, direction) : position + direction,
      );
    } else if (event.key === " ") moment.toggleLive();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <VirtualList
      label="Entries of the log"
      rows={list}
      identity={list}
      version={version}
      isReversed={options.order === "newest"}
      selected={rows.rowOf(moment.position)}
      onSelect={(row) => moment.moveTo(rows.at(row)?.from ?? 0)}
      onOpen={toggle}
      onOtherKey={onOtherKey}
      isFollowing={moment.isLive}
      onLeave={moment.pause}
    />
  );
}
