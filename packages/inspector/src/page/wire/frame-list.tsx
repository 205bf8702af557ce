import type { ComponentChild } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Frame, Resumption } from "../../contract/index.js";
import { resumptionWords } from "../../model/chat/resumption-words.js";
import { formatDuration } from "../../model/format.js";
import { describeFrame } from "../../model/translate/describe-frame.js";
import { setQuery } from "../router/route.js";
import { allHops, resumptions } from "../state/hops.js";
import type { KnownHop } from "../state/hops.js";
import { Button, Icon } from "../ui/index.js";

const page = 60;

/** The frames of a stream, oldest first: events with their ids, heartbeats, the end, and how a cut one went on. */
export function FrameList(props: {
  readonly known: KnownHop;
  readonly selected: number | undefined;
  readonly onSelect: (index: number | undefined) => void;
}): ComponentChild {
  const { known, selected, onSelect } = props;
  const [extra, setExtra] = useState(0);
  const { frames, summary } = known;
  const from = Math.max(0, frames.length - page - extra);
  const words = useMemo(() => frames.slice(from).map(describeFrame), [frames, from]);
  if (frames.length === 0) return null;
  const { startedAt, endedAt } = summary.timing;
  const resumed = resumptions.value.find((one) => isOf(one, known));
  return (
    <section class="frames" aria-label="Frames">
      <h3 class="label">Frames</h3>
      {from > 0 ? (
        <Button shape="text" onClick={() => setExtra(extra + page * 4)}>
          {from.toLocaleString("en")} earlier frames
        </Button>
      ) : null}
      <ol class="plain">
        {words.map(({ what, detail }, offset) => {
          const index = from + offset;
          const frame = frames[index];
          if (frame === undefined) return null;
          return (
            <li key={index}>
              <button
                type="button"
                class="frame-row"
                data-testid="frame"
                aria-pressed={index === selected}
                data-kind={frame.kind}
                onClick={() => onSelect(index === selected ? undefined : index)}
              >
                <span class="number">
                  {frame.kind === "comment" ? ":" : (frame.id ?? index + 1)}
                </span>
                <span class="frame-what">{what}</span>
                <span class="soft cut">{detail}</span>
                <span class="soft number">{delta(frames, index, startedAt)}</span>
              </button>
            </li>
          );
        })}
        {resumed === undefined ? null : <Cut resumption={resumed} known={known} />}
        {endedAt === undefined || resumed !== undefined ? null : (
          <li class="frame-row frame-end">
            <span />
            <span class="frame-what soft">end of stream</span>
            <span />
            <span class="soft number">{formatDuration(endedAt - startedAt)}</span>
          </li>
        )}
      </ol>
    </section>
  );
}

/** The connection was cut here; another hop went on. */
function Cut({
  resumption,
  known,
}: {
  readonly resumption: Resumption;
  readonly known: KnownHop;
}): ComponentChild {
  const next = allHops().find(
    ({ summary }) =>
      summary.id > known.summary.id &&
      summary.connection === known.summary.connection &&
      summary.taskId === resumption.taskId,
  );
  return (
    <li class="frame-cut">
      <Icon name="cut" />
      <span class="strong">Connection cut</span>
      <span>{resumptionWords(resumption)}</span>
      {next === undefined ? null : (
        <Button shape="text" onClick={() => setQuery({ hop: String(next.summary.id) })}>
          hop {next.summary.id}
        </Button>
      )}
    </li>
  );
}

/** Whether a stream broke in this hop: it ended shortly before the other went on. */
function isOf(one: Resumption, { summary }: KnownHop): boolean {
  const { connection, taskId, timing } = summary;
  if (one.connection !== connection || one.taskId !== taskId || timing.endedAt === undefined)
    return false;
  const later = allHops().some(
    ({ summary: other }) =>
      other.id > summary.id &&
      other.taskId === taskId &&
      other.timing.startedAt <= one.at &&
      (other.timing.endedAt ?? Infinity) < one.at,
  );
  return (
    timing.startedAt <= one.at &&
    timing.endedAt <= one.at &&
    !later &&
    one.at - timing.endedAt < 60_000
  );
}

function delta(frames: readonly Frame[], index: number, startedAt: number): string {
  const at = frames[index]?.at ?? 0;
  const before = frames[index - 1]?.at ?? startedAt;
  return `+${formatDuration(Math.max(0, at - before))}`;
}
