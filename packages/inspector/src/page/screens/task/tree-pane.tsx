import type { LogEntry, TaskRecord } from "@parley/a2a/store";
import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { LogPage, TaskList } from "../../../contract/index.js";
import { formatMoment, linksOf, shortId, taskTree } from "../../../model/index.js";
import type { LogIndex, TreeNode, TreeTask } from "../../../model/index.js";
import { api } from "../../api/index.js";
import { href } from "../../router/route.js";
import { capabilities } from "../../state/capabilities.js";
import { recordedEntries, recording } from "../../state/recording.js";
import { EmptyState, Skeleton, StateBadge } from "../../ui/index.js";
import { sessionEntries, sessionTasks } from "./session-tasks.js";

/** Relatives whose logs are read for what they say of their parents. */
const relativeLimit = 40;

/** The tasks that this one came from, and those that came from it. */
export function TreePane({ index }: { readonly index: LogIndex }): ComponentChild {
  const [nodes, setNodes] = useState<readonly TreeNode[]>();
  useEffect(() => {
    let isCurrent = true;
    findRelatives(index).then(
      (tasks) => isCurrent && setNodes(taskTree(tasks)),
      () => isCurrent && setNodes([]),
    );
    return () => {
      isCurrent = false;
    };
  }, [index.taskId]);
  if (nodes === undefined) return <Skeleton lines={3} label="Looking for related tasks" />;
  const count = JSON.stringify(nodes).split('"taskId"').length - 1;
  if (count <= 1) {
    return (
      <EmptyState title="This task stands alone">
        No other task has its context, names it as a reference, or was begun by it.
      </EmptyState>
    );
  }
  return (
    <div class="stack">
      <Branch nodes={nodes} current={index.taskId} />
      <p class="soft tree-legend">
        <span class="tree-line" data-reason="parent" /> recorded parent
        <span class="tree-line" data-reason="context" /> by reference, trace or context
      </p>
    </div>
  );
}

function Branch({
  nodes,
  current,
}: {
  nodes: readonly TreeNode[];
  current: string;
}): ComponentChild {
  return (
    <ul class="tree">
      {nodes.map(({ task, reason, children }) => (
        <li key={task.taskId} data-reason={reason}>
          <a
            class="tree-task"
            href={href(["tasks", task.taskId])}
            aria-current={task.taskId === current ? "page" : undefined}
          >
            <StateBadge state={task.state} />
            <code>{shortId(task.taskId)}</code>
            <span class="soft">
              {task.agent === undefined ? "" : `${task.agent}, `}
              {formatMoment(task.since)}
              {reason === undefined ? "" : `, by ${reason}`}
            </span>
          </a>
          {children.length > 0 ? <Branch nodes={children} current={current} /> : null}
        </li>
      ))}
    </ul>
  );
}

async function findRelatives(index: LogIndex): Promise<TreeTask[]> {
  const references = linksOf(index.entries).references;
  const records = await recordsAround(index, references);
  const others = records.filter(({ taskId }) => taskId !== index.taskId).slice(0, relativeLimit);
  const found = await Promise.all(
    others.map(async (record) => treeTask(record, await firstEntries(record.taskId))),
  );
  return [
    {
      taskId: index.taskId,
      contextId: index.contextId ?? "",
      state: index.stateAt(index.length - 1),
      since: index.timeAt(0),
      links: linksOf(index.entries),
    },
    ...found,
  ];
}

async function recordsAround(
  { taskId: own, contextId = "" }: LogIndex,
  references: readonly string[],
): Promise<readonly TaskRecord[]> {
  const recorded =
    recording.peek()?.tasks ?? (capabilities.peek()?.canRead ? undefined : sessionTasks());
  if (recorded !== undefined) {
    return recorded.filter(
      (record) => record.contextId === contextId || references.includes(record.taskId),
    );
  }
  const query = `context=${encodeURIComponent(contextId)}&limit=${relativeLimit}`;
  const { tasks } = await api.get<TaskList>(`tasks?${query}`);
  const named = await Promise.all(
    references
      .filter((id) => tasks.every(({ taskId }) => taskId !== id))
      .slice(0, relativeLimit)
      .map((id) =>
        api.get<{ record: TaskRecord }>(`tasks/${encodeURIComponent(id)}`).then(
          ({ record }) => [record],
          () => [],
        ),
      ),
  );
  const traced = await api.get<Pick<TaskList, "tasks">>(
    `tasks/${encodeURIComponent(own)}/relatives`,
  );
  const known = new Set([...tasks, ...named.flat()].map(({ taskId }) => taskId));
  const others = traced.tasks.filter(({ taskId }) => !known.has(taskId));
  return [...tasks, ...named.flat(), ...others];
}

async function firstEntries(taskId: string): Promise<readonly LogEntry[]> {
  if (recording.peek() !== undefined) return recordedEntries(taskId).slice(0, 50);
  if (!capabilities.peek()?.canRead) return sessionEntries(taskId).slice(0, 50);
  const path = `tasks/${encodeURIComponent(taskId)}/log?limit=50`;
  return api.get<LogPage>(path).then(
    ({ entries }) => entries,
    () => [],
  );
}

function treeTask(record: TaskRecord, entries: readonly LogEntry[]): TreeTask {
  return {
    taskId: record.taskId,
    contextId: record.contextId,
    state: record.state,
    since: entries[0]?.at ?? record.statusAt,
    agent: record.agent,
    links: linksOf(entries),
  };
}
