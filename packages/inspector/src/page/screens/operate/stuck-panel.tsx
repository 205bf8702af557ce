import type { ComponentChild } from "preact";
import type { Overview } from "../../../contract/index.js";
import { describeStuck, formatDuration, shortId } from "../../../model/index.js";
import { api } from "../../api/index.js";
import { href } from "../../router/route.js";
import { Chip, Panel, StateBadge, VisibleName } from "../../ui/index.js";
import { ConfirmButton } from "./confirm-button.js";

/** Tasks that do not go on, with the reason and what to do. */
export function StuckPanel(props: {
  readonly overview: Overview;
  readonly canCancel: boolean;
  readonly act: (work: Promise<unknown>) => void;
}): ComponentChild {
  const { overview, canCancel, act } = props;
  return (
    <Panel title="Stuck" tools={<span class="soft">{overview.stuck.length}</span>} flush>
      {overview.stuck.length === 0 ? (
        <p class="panel-note">
          Every task at work has a live node, writes to its log, and heeds its cancels.
        </p>
      ) : (
        <ul class="cards">
          {overview.stuck.map(({ record, reason, since, explanation }) => {
            const { name, meaning } = describeStuck(reason);
            return (
              <li
                key={record.taskId}
                class="stuck"
                data-testid="stuck"
                data-reason={reason}
                data-task-id={record.taskId}
              >
                <div class="row">
                  <Chip tone="failed" title={meaning}>
                    {name}
                  </Chip>
                  <a class="mono" href={href(["tasks", record.taskId])}>
                    {shortId(record.taskId)}
                  </a>
                  <StateBadge state={record.state} />
                  <span class="soft cut">
                    <VisibleName name={record.agent} />
                    {record.node === undefined ? "" : `, on ${shortId(record.node)}`}
                  </span>
                  <span class="push-right row">
                    <span class="soft number">for {formatDuration(overview.at - since)}</span>
                    {canCancel ? (
                      <ConfirmButton
                        label="Cancel"
                        confirm="Cancel this task"
                        onConfirm={() =>
                          act(api.post(`tasks/${encodeURIComponent(record.taskId)}/cancel`))
                        }
                      />
                    ) : null}
                  </span>
                </div>
                <p>{explanation}</p>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
