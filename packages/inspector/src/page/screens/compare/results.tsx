import type { ComponentChild } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import {
  alignEvents,
  comparableTask,
  diffJson,
  formatCount,
  formatDuration,
  formatOffset,
} from "../../../model/index.js";
import type { AlignedEvent, ComparedEvent } from "../../../model/index.js";
import { Chip, ErrorBox, Mark, Panel, VisibleName } from "../../ui/index.js";
import { DifferenceBox } from "../task/diff-pane.js";
import type { SideAnswer } from "./side.js";

/** What both sides did. */
export function Results(props: {
  readonly answers: readonly [SideAnswer, SideAnswer];
  /** What stands above the events of each side. */
  readonly heads: readonly [ComponentChild, ComponentChild];
}): ComponentChild {
  const [left, right] = props.answers;
  const [aligned, setAligned] = useState<readonly AlignedEvent[]>([]);
  useEffect(() => {
    let isCurrent = true;
    alignEvents(left.events, right.events).then(
      (found) => isCurrent && setAligned(found),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [left, right]);
  const differences = useMemo(
    () =>
      left.task === undefined || right.task === undefined
        ? undefined
        : diffJson(comparableTask(left.task), comparableTask(right.task)),
    [left, right],
  );
  const isSame =
    differences?.length === 0 &&
    aligned.every((event) => event.left !== undefined && event.right !== undefined);
  return (
    <>
      <Panel
        title="Events"
        tools={
          aligned.length === 0 ? undefined : (
            <Chip tone={isSame ? "done" : "waiting"}>{isSame ? "The same" : "They differ"}</Chip>
          )
        }
        flush
      >
        <div class="table-box" tabIndex={0} role="group" aria-label="Events side by side">
          <table class="table aligned" data-testid="aligned">
            <thead>
              <tr>
                {props.heads.map((head, index) => (
                  <th key={index} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {aligned.map((event, row) => (
                <tr
                  key={row}
                  data-alone={
                    event.left === undefined || event.right === undefined ? "" : undefined
                  }
                >
                  <td>{event.left === undefined ? null : <EventCell event={event.left} />}</td>
                  <td>{event.right === undefined ? null : <EventCell event={event.right} />}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                {props.answers.map(({ timing, problem }, index) => (
                  <td key={index}>
                    {problem === undefined ? null : <ErrorBox problem={problem} />}
                    <span class="soft">
                      first event{" "}
                      {timing.firstEvent === undefined
                        ? "never"
                        : formatDuration(timing.firstEvent)}
                      , end {formatDuration(timing.end)}, {formatCount(timing.chunks)} chunks
                    </span>
                  </td>
                ))}
              </tr>
            </tfoot>
          </table>
        </div>
      </Panel>
      {differences === undefined ? null : (
        <Panel title="Final tasks, less ids and times">
          {differences.length === 0 ? (
            <p class="soft">Both tasks ended the same.</p>
          ) : (
            <div class="stack" data-testid="diff">
              {differences.map((difference) => (
                <DifferenceBox key={difference.path} {...difference} />
              ))}
            </div>
          )}
        </Panel>
      )}
    </>
  );
}

function EventCell({ event }: { readonly event: ComparedEvent }): ComponentChild {
  return (
    <span class="aligned-event">
      <span class="entry-time">{formatOffset(event.after)}</span>
      <Mark tone={event.tone} />
      <span class="strong cut">
        <VisibleName name={event.title} />
      </span>
      <span class="soft cut">
        <VisibleName
          name={event.chunks > 1 ? `+${formatCount(event.chunks - 1)} chunks` : event.detail}
        />
      </span>
    </span>
  );
}
