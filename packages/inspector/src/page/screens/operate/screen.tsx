import "../task/task.css";
import "./operate.css";
import type { ComponentChild } from "preact";
import { formatClock } from "../../../model/index.js";
import { capabilities } from "../../state/capabilities.js";
import { Button, ErrorBox, PaneHead, Panel, Skeleton } from "../../ui/index.js";
import { TaskTable } from "../task/task-table.js";
import { AgentsPanel, StateCounts } from "./agents-panel.js";
import { DeadLettersPanel } from "./dead-letters-panel.js";
import { NodesPanel } from "./nodes-panel.js";
import { StuckPanel } from "./stuck-panel.js";
import { useOverview } from "./use-overview.js";

/** What an operator looks at first: what is stuck, who waits, which nodes live, what was never delivered. */
export function Screen(): ComponentChild {
  const view = useOverview();
  const { overview, dead, problem, act } = view;
  const canOperate = capabilities.value?.canOperate === true;
  const canCancel = capabilities.value?.canCancel === true;
  return (
    <>
      <PaneHead title="Operate" tools={<Button onClick={view.reload}>Refresh</Button>}>
        <span class="soft">
          {overview === undefined ? "" : `as of ${formatClock(overview.at)}`}
        </span>
      </PaneHead>
      <div class="pane-body">
        <div class="operate stack">
          {problem === undefined ? null : <ErrorBox problem={problem} onRetry={view.reload} />}
          {overview === undefined ? (
            problem === undefined ? (
              <Skeleton lines={6} label="Loading the overview" />
            ) : null
          ) : (
            <>
              <StateCounts overview={overview} />
              <StuckPanel overview={overview} canCancel={canCancel} act={act} />
              <DeadLettersPanel
                dead={dead}
                canOperate={canOperate}
                act={act}
                onMore={view.showMoreDead}
              />
              <Panel
                title="Waiting for a person"
                tools={<span class="soft">{overview.waiting.length}</span>}
                flush
              >
                {overview.waiting.length === 0 ? (
                  <p class="panel-note">No task has asked its caller something.</p>
                ) : (
                  <TaskTable records={overview.waiting} now={overview.at} />
                )}
              </Panel>
              <NodesPanel overview={overview} canOperate={canOperate} act={act} />
              <AgentsPanel overview={overview} />
            </>
          )}
        </div>
      </div>
    </>
  );
}
