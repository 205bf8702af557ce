import type { TaskState } from "@parley/a2a";
import type { LogEntry } from "@parley/a2a/store";

/**
 * Why one task stands below another. `parent`: the call that began the task came from a span that a run of the other has
 * recorded. That is a fact; the others are guesses, and drawn dotted.
 */
export type TreeReason = "parent" | "reference" | "trace" | "context";

/** What is known of a task and of those it came from. */
export interface TreeTask {
  readonly taskId: string;
  readonly contextId: string;
  readonly state: TaskState;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly agent?: string;
  readonly links: TaskLinks;
}

export interface TaskLinks {
  readonly references: readonly string[];
  /** The trace and the span from which the task was called, as `traceparent` names both. */
  readonly calledFrom?: SpanName;
  /** Those of its own runs. */
  readonly runs: readonly SpanName[];
}

interface SpanName {
  readonly traceId: string;
  readonly spanId: string;
}

export interface TreeNode {
  readonly task: TreeTask;
  /** Absent on a root. */
  readonly reason?: TreeReason;
  readonly children: readonly TreeNode[];
}

const referenceLimit = 100;
const runLimit = 1000;

/** What a log says of the tasks that its own came from. */
export function linksOf(entries: Iterable<LogEntry>): TaskLinks {
  const references = new Set<string>();
  const runs: SpanName[] = [];
  let calledFrom: SpanName | undefined;
  for (const { event } of entries) {
    if (event.kind === "message-added") {
      for (const id of event.message.referenceTaskIds ?? []) {
        if (references.size < referenceLimit) references.add(id);
      }
    }
    const call = "call" in event ? event.call : undefined;
    calledFrom ??= spanIn(call?.["trace"]);
    const isRun = event.kind === "run-started" || event.kind === "run-resumed";
    const run = isRun ? spanIn(event.trace) : undefined;
    if (run !== undefined && runs.length < runLimit) runs.push(run);
  }
  return { references: [...references], ...(calledFrom && { calledFrom }), runs };
}

/** Tasks below those they came from, the oldest first. */
export function taskTree(tasks: readonly TreeTask[]): TreeNode[] {
  const ordered = [...tasks].sort((one, other) => one.since - other.since);
  const byId = new Map(ordered.map((task) => [task.taskId, task]));
  const above = new Map<string, { readonly id: string; readonly reason: TreeReason }>();
  for (const task of ordered) {
    const found = parentOf(task, ordered, byId);
    if (found !== undefined && !isBelow(found.id, task.taskId, above)) {
      above.set(task.taskId, found);
    }
  }
  const below = new Map<string, TreeTask[]>();
  for (const task of ordered) {
    const id = above.get(task.taskId)?.id;
    if (id !== undefined) below.set(id, [...(below.get(id) ?? []), task]);
  }
  const nodeOf = (task: TreeTask): TreeNode => {
    const reason = above.get(task.taskId)?.reason;
    return {
      task,
      ...(reason && { reason }),
      children: (below.get(task.taskId) ?? []).map(nodeOf),
    };
  };
  return ordered.filter(({ taskId }) => !above.has(taskId)).map(nodeOf);
}

function parentOf(
  task: TreeTask,
  ordered: readonly TreeTask[],
  byId: ReadonlyMap<string, TreeTask>,
): { id: string; reason: TreeReason } | undefined {
  const { references } = task.links;
  const caller = ordered.find((other) => other !== task && hasCalled(other, task));
  if (caller !== undefined) return { id: caller.taskId, reason: "parent" };
  const reference = references.find((id) => id !== task.taskId && byId.has(id));
  if (reference !== undefined) return { id: reference, reason: "reference" };
  const isOlder = (other: TreeTask): boolean =>
    other !== task && ordered.indexOf(other) < ordered.indexOf(task);
  const traces = tracesOf(task);
  const traced = ordered.find(
    (other) => isOlder(other) && tracesOf(other).some((one) => traces.includes(one)),
  );
  if (traced !== undefined) return { id: traced.taskId, reason: "trace" };
  const first = ordered.find((other) => isOlder(other) && other.contextId === task.contextId);
  return first && { id: first.taskId, reason: "context" };
}

/** Whether a task stands below another already: agents may name each other in a circle. */
function isBelow(
  taskId: string,
  ancestor: string,
  above: ReadonlyMap<string, { readonly id: string }>,
): boolean {
  for (let id: string | undefined = taskId; id !== undefined; id = above.get(id)?.id) {
    if (id === ancestor) return true;
  }
  return false;
}

/** Whether a run of a task has recorded the span from which another was called. */
function hasCalled({ links: { runs } }: TreeTask, { links: { calledFrom } }: TreeTask): boolean {
  return runs.some(
    ({ traceId, spanId }) => traceId === calledFrom?.traceId && spanId === calledFrom.spanId,
  );
}

/** The trace that a task was called in, and those that its runs have begun. */
function tracesOf({ links: { calledFrom, runs } }: TreeTask): readonly string[] {
  return [...(calledFrom ? [calledFrom] : []), ...runs].map(({ traceId }) => traceId);
}

function spanIn(trace: unknown): SpanName | undefined {
  if (typeof trace !== "object" || trace === null || !("traceparent" in trace)) return undefined;
  const [, traceId, spanId] = String(trace.traceparent).split("-");
  return traceId && spanId ? { traceId, spanId } : undefined;
}
