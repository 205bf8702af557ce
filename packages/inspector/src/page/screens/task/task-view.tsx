import { isTerminal } from "@parley/a2a";
import type { ComponentChild } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Problem } from "../../../contract/index.js";
import { describeEntry, messagesUpTo, shortId } from "../../../model/index.js";
import type { LogIndex } from "../../../model/index.js";
import { api, problemOf } from "../../api/index.js";
import { useShortcuts } from "../../keyboard/shortcuts.js";
import { useCalm } from "../../list/use-calm.js";
import { href } from "../../router/route.js";
import { announce } from "../../state/announce.js";
import { capabilities } from "../../state/capabilities.js";
import { connection } from "../../state/connection.js";
import { recording } from "../../state/recording.js";
import { Button, ErrorBox, Menu, PaneHead, Skeleton, StateBadge, Tabs } from "../../ui/index.js";
import { DiffPane } from "./diff-pane.js";
import { EntryPane } from "./entry-pane.js";
import { openLog } from "./open-log.js";
import type { OpenLog } from "./open-log.js";
import { RestartDialog } from "./restart-dialog.js";
import { saveTask, saveTest } from "./save.js";
import { StatePane } from "./state-pane.js";
import { Timeline, TimelineList } from "./timeline.js";
import { TreePane } from "./tree-pane.js";
import { useMedia } from "./use-media.js";
import { useMoment } from "./use-moment.js";
import type { TaskMoment } from "./use-moment.js";
import { WaterfallPane } from "./waterfall-pane.js";

/** One task, at any moment of its life. */
export function TaskView({ taskId }: { readonly taskId: string }): ComponentChild {
  const log = useMemo(() => openLog(taskId), [taskId]);
  useEffect(() => () => log.close(), [log]);
  void log.version.value;
  const problem = log.problem.value;
  if (log.index.length > 0) return <LoadedTask key={taskId} log={log} />;
  return (
    <>
      <PaneHead title={`Task ${shortId(taskId)}`} />
      <div class="pane-body">
        {problem === undefined ? (
          <Skeleton label="Loading the log" />
        ) : (
          <ErrorBox problem={problem} onRetry={log.retry} />
        )}
      </div>
    </>
  );
}

type Tab = "entries" | "state" | "entry" | "diff" | "waterfall" | "tree";

function LoadedTask({ log }: { readonly log: OpenLog }): ComponentChild {
  const { index } = log;
  const version = log.version.value;
  const moment = useMoment(log);
  const isNarrow = useMedia("(max-width: 720px)");
  const [tab, setTab] = useState<Tab>("state");
  const [isRestarting, setRestarting] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const last = index.length - 1;
  const state = index.stateAt(last);
  const title = useMemo(() => titleOf(index), [index, index.length > 8]);
  useEffect(() => {
    announce(`Entry ${index.sequenceAt(moment.position)}, ${title}`);
  }, [moment.position]);
  useEffect(() => {
    if (moment.markA !== undefined && !isNarrow) setTab("diff");
  }, [moment.markA === undefined]);
  const link = (): void => {
    void navigator.clipboard.writeText(location.href).then(
      () => announce("Link copied"),
      () => announce("The link is in the address bar"),
    );
  };
  useShortcuts(useMemo(() => [{ keys: "y", does: "Copy the link", run: link }], []));
  const act = (work: Promise<unknown>): void => {
    setProblem(undefined);
    work.catch((error: unknown) => setProblem(problemOf(error)));
  };
  const able = capabilities.value;
  const canCall = able?.canCall === true && connection.value !== undefined;
  const canCancel = able?.canCancel === true && !isTerminal(state) && recording.value === undefined;
  const selected = tab === "entries" && !isNarrow ? "state" : tab;
  return (
    <>
      <div class="task-head">
        <PaneHead
          title={title}
          tools={
            <>
              <Button onClick={link} title="Copy a link to this moment">
                Copy link
              </Button>
              <Menu
                label="Save"
                testId="save"
                items={[
                  { label: "As a file", onChoose: () => act(saveTask(log.taskId)) },
                  { label: "As a vitest test", onChoose: () => saveTest(index) },
                ]}
              />
              {canCancel ? (
                <Button
                  kind="danger"
                  testId="cancel"
                  onClick={() => act(api.post(`tasks/${encodeURIComponent(log.taskId)}/cancel`))}
                >
                  Cancel task
                </Button>
              ) : null}
              {canCall ? (
                <Button testId="restart" onClick={() => setRestarting(true)}>
                  Start again from here
                </Button>
              ) : null}
            </>
          }
        >
          <span data-testid="task" data-task-id={log.taskId} data-state={state}>
            <StateBadge state={state} />
          </span>
        </PaneHead>
      </div>
      {problem === undefined ? null : <ErrorBox problem={problem} />}
      <div class="task">
        <div class="task-detail">
          <Tabs<Tab>
            label="What is shown of the task"
            selected={selected}
            onSelect={setTab}
            tabs={[
              ...(isNarrow ? [{ key: "entries" as const, label: "Entries" }] : []),
              { key: "state", label: `State at ${index.sequenceAt(moment.position)}` },
              { key: "entry", label: "Entry" },
              { key: "diff", label: "Diff" },
              { key: "waterfall", label: "Waterfall" },
              { key: "tree", label: "Tree" },
            ]}
          />
          <div
            class="task-pane"
            data-tab={selected}
            tabIndex={selected === "entries" ? -1 : 0}
            role="group"
            aria-label="Details"
          >
            <Detail tab={selected} log={log} moment={moment} version={version} />
          </div>
        </div>
        <Timeline log={log} moment={moment} hasRows={!isNarrow} />
      </div>
      {isRestarting ? (
        <RestartDialog
          messages={messagesUpTo(index, moment.position)}
          sequence={index.sequenceAt(moment.position)}
          onClose={() => setRestarting(false)}
        />
      ) : null}
      <a class="unseen" href={href(["tasks"])}>
        All tasks
      </a>
    </>
  );
}

function Detail(props: {
  readonly tab: Tab;
  readonly log: OpenLog;
  readonly moment: TaskMoment;
  readonly version: number;
}): ComponentChild {
  const { tab, log, moment, version } = props;
  const { index } = log;
  const { position, markA, markB } = moment;
  switch (tab) {
    case "entries":
      return <TimelineList log={log} moment={moment} />;
    case "state":
      return <CalmStatePane index={index} position={position} />;
    case "entry":
      return <EntryPane entry={index.entries[position]} begin={index.timeAt(0)} />;
    case "diff":
      return (
        <DiffPane
          index={index}
          version={version}
          a={markA ?? Math.max(0, position - 1)}
          b={markB ?? position}
          onMove={moment.moveTo}
        />
      );
    case "waterfall":
      return <WaterfallPane index={index} version={version} onMove={moment.moveTo} />;
    case "tree":
      return <TreePane index={index} />;
  }
}

/** The state is the most to draw: while the slider moves or the log grows it follows ten times a second. */
function CalmStatePane(props: {
  readonly index: LogIndex;
  readonly position: number;
}): ComponentChild {
  const { index } = props;
  const position = useCalm(props.position, 100);
  return useMemo(() => <StatePane view={index.at(position)} />, [index, position]);
}

/** What the caller first said; the id of the task where nobody has said anything. */
function titleOf(index: LogIndex): string {
  const first = index.entries.slice(0, 20).find(({ event }) => event.kind === "message-added");
  const said = first === undefined ? "" : describeEntry(first).title.replaceAll(/^“|”$/gu, "");
  return said === "" || said === "Message" ? `Task ${shortId(index.taskId)}` : said.slice(0, 80);
}
