import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../../../contract/index.js";
import { formatCount, formatMoment } from "../../../model/index.js";
import { api, problemOf } from "../../api/index.js";
import { href } from "../../router/route.js";
import { capabilities } from "../../state/capabilities.js";
import { recording } from "../../state/recording.js";
import { ErrorBox, PaneHead, Panel, Skeleton } from "../../ui/index.js";
import { openRecordingText } from "./open-recording.js";
import { RecordingDrop } from "./recording-drop.js";

/** A saved session: what is in the one that is open, and where another is opened. */
export function Screen(): ComponentChild {
  const opened = recording.value;
  const isGiven = capabilities.value?.mode === "file" && opened === undefined;
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    if (!isGiven) return;
    api
      .text("recording")
      .then(openRecordingText)
      .catch((error: unknown) => setProblem(problemOf(error)));
  }, [isGiven]);
  return (
    <>
      <PaneHead title="Recording">
        {opened === undefined ? null : (
          <span class="soft">saved {formatMoment(opened.savedAt)}, offline</span>
        )}
      </PaneHead>
      <div class="pane-body">
        <div class="file-body stack">
          {problem === undefined ? null : <ErrorBox problem={problem} />}
          {isGiven && problem === undefined ? <Skeleton label="Reading the recording" /> : null}
          {opened === undefined ? null : <Contents />}
          <RecordingDrop />
        </div>
      </div>
    </>
  );
}

function Contents(): ComponentChild {
  const opened = recording.value;
  if (opened === undefined) return null;
  const entries = [...opened.logs.values()].reduce((sum, log) => sum + log.length, 0);
  return (
    <>
      <Panel title="What is in it">
        <dl class="facts">
          <dt>Agent</dt>
          <dd>{opened.agent?.card.name ?? "not named"}</dd>
          <dt>Tasks</dt>
          <dd>
            <a href={href(["tasks"])}>{formatCount(opened.tasks.length || opened.logs.size)}</a>,
            with {formatCount(entries)} entries
          </dd>
          <dt>Hops</dt>
          <dd>{formatCount(opened.hops.length)}</dd>
          <dt>Deliveries</dt>
          <dd>{formatCount(opened.deliveries.length)}</dd>
          <dt>Written by</dt>
          <dd>Parley {opened.version}</dd>
        </dl>
      </Panel>
      {opened.problems.length === 0 ? null : (
        <Panel title={`${opened.problems.length} lines were left out`}>
          <ul>
            {opened.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}
