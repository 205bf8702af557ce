import type { HistoryStream } from "../history.js";
import { isQuiet } from "../traced-history.js";
import type { TracedHistory } from "../traced-history.js";
import type { Violation } from "../violation.js";

/**
 * Two leases after the last fault everything has come to rest: no active task is without a live node, no notification
 * is overdue, no call hangs, and every open stream has shown what the log has. A history that ends sooner says nothing
 * of this.
 */
export function* checkQuiet(history: TracedHistory): Iterable<Violation> {
  if (!isQuiet(history)) return;
  const { end, calls, streams } = history;
  const live = new Set(end.liveNodes);
  for (const { record } of end.tasks) {
    const { taskId, state, node } = record;
    const isActive = state === "TASK_STATE_SUBMITTED" || state === "TASK_STATE_WORKING";
    const isHeld = node !== undefined && live.has(node);
    if (!isActive || (isHeld && end.areRunsOver !== true)) continue;
    const problem = isHeld ? "which does not work on it" : "which has no lease";
    const message = `the task is ${state} under ${node ?? "no node"}, ${problem}`;
    yield { invariant: "quiet", taskId, message };
  }
  const { overdueMs = 0 } = end.outbox;
  if (overdueMs > end.leaseMs) {
    yield { invariant: "quiet", message: `a notification has been due for ${overdueMs} ms` };
  }
  for (const { outcome, operation, begunAt, taskId } of calls) {
    if (outcome !== undefined || end.readAt - begunAt < 2 * end.leaseMs) continue;
    const message = `a ${operation} that began at ${begunAt} has no answer`;
    yield { invariant: "quiet", ...(taskId !== undefined && { taskId }), message };
  }
  for (const stream of streams) {
    const message = behind(stream, history);
    const { taskId } = stream;
    if (message !== undefined) yield { invariant: "quiet", ...(taskId && { taskId }), message };
  }
}

function behind({ name, taskId, events, outcome }: HistoryStream, { traces }: TracedHistory) {
  const trace = taskId === undefined ? undefined : traces.get(taskId);
  const last = events.findLast(({ id }) => id !== undefined)?.id;
  if (trace === undefined || outcome !== "open") return undefined;
  if (events.length === 0) {
    return `stream ${name} is open and has shown nothing; the log is at ${trace.lastShown}`;
  }
  if (last === undefined || last >= trace.lastShown) return undefined;
  return `stream ${name} is open and stands at event ${last}; the log is at ${trace.lastShown}`;
}
