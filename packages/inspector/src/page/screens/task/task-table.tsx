import type { TaskRecord } from "@parley/a2a/store";
import type { ComponentChild } from "preact";
import { useMemo } from "preact/hooks";
import { formatBytes, formatCount, formatDuration, shortId } from "../../../model/index.js";
import { href } from "../../router/route.js";
import { StateBadge, VisibleName } from "../../ui/index.js";

/** Tasks, one a row, each with a link to its life. */
export function TaskTable(props: {
  readonly records: readonly TaskRecord[];
  /** What stands at the end of a row, such as buttons. */
  readonly tools?: (record: TaskRecord) => ComponentChild;
  readonly now?: number;
}): ComponentChild {
  const { records, tools } = props;
  const read = useMemo(Date.now, [records]);
  const now = props.now ?? read;
  const hasAgents = new Set(records.map(({ agent }) => agent)).size > 1;
  const hasOwners = records.some(({ owner }) => owner.subject !== "" || owner.tenant !== "");
  return (
    <div class="table-box">
      <table class="table task-table">
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">Task</th>
            {hasAgents ? <th scope="col">Agent</th> : null}
            <th scope="col">Context</th>
            {hasOwners ? <th scope="col">Owner</th> : null}
            <th scope="col" class="number">
              Entries
            </th>
            <th scope="col" class="number optional">
              Size
            </th>
            <th scope="col" class="number">
              In this state
            </th>
            {tools === undefined ? null : (
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr
              key={record.taskId}
              data-testid="task"
              data-task-id={record.taskId}
              data-state={record.state}
            >
              <td>
                <StateBadge state={record.state} />
              </td>
              <td>
                <a class="mono" href={href(["tasks", record.taskId])} title={record.taskId}>
                  {shortId(record.taskId)}
                </a>
              </td>
              {hasAgents ? (
                <td class="cut">
                  <VisibleName name={record.agent} />
                </td>
              ) : null}
              <td>
                <code class="soft" title={record.contextId}>
                  {shortId(record.contextId)}
                </code>
              </td>
              {hasOwners ? (
                <td class="cut soft">
                  <VisibleName
                    name={[record.owner.tenant, record.owner.subject].filter(Boolean).join(" / ")}
                  />
                </td>
              ) : null}
              <td class="number">{formatCount(record.sequence)}</td>
              <td class="number soft optional">
                {record.bytes === 0 ? "" : formatBytes(record.bytes)}
              </td>
              <td class="number soft">{formatDuration(Math.max(0, now - record.statusAt))}</td>
              {tools === undefined ? null : <td class="table-tools">{tools(record)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
