import type { HistoryCall } from "../history.js";
import type { TaskTrace } from "../task-trace.js";
import type { TracedHistory } from "../traced-history.js";
import type { Violation } from "../violation.js";

/**
 * Time and log agree: what was answered before a call began comes before what the call wrote, and a task that is
 * shown holds all of it.
 */
export function* checkOrder({ calls, traces }: TracedHistory): Iterable<Violation> {
  const firstSent = new Map<string, number>();
  const answered = new Map<string, HistoryCall[]>();
  for (const call of calls) {
    const { taskId, messageId, outcome, begunAt } = call;
    if (messageId !== undefined) {
      firstSent.set(messageId, Math.min(begunAt, firstSent.get(messageId) ?? Infinity));
    }
    if (outcome !== "answered" || taskId === undefined) continue;
    const ofTask = answered.get(taskId);
    if (ofTask === undefined) answered.set(taskId, [call]);
    else ofTask.push(call);
  }
  // Calls that repeat a message may come long after what the first of them has written.
  const isFirst = ({ messageId = "", begunAt }: HistoryCall): boolean =>
    firstSent.get(messageId) === begunAt;
  for (const [taskId, ofTask] of answered) {
    const trace = traces.get(taskId);
    if (trace !== undefined) yield* checkTask(ofTask, trace, isFirst);
  }
}

function* checkTask(
  answered: readonly HistoryCall[],
  trace: TaskTrace,
  isFirst: (call: HistoryCall) => boolean,
): Iterable<Violation> {
  const { taskId } = trace.task.record;
  const byEnd = answered.toSorted((a, b) => endOf(a) - endOf(b));
  const byBegin = answered.toSorted((a, b) => a.begunAt - b.begunAt);
  /** How far the log was for sure when the call at hand began. */
  let floor = 0;
  let next = 0;
  for (const call of byBegin) {
    for (; next < byEnd.length; next += 1) {
      const earlier = byEnd[next];
      if (earlier === undefined || endOf(earlier) >= call.begunAt) break;
      floor = Math.max(floor, placeOf(earlier, trace));
    }
    const problem =
      (isFirst(call) ? lateWrite(call, trace, floor) : undefined) ?? staleTask(call, trace, floor);
    if (problem !== undefined) yield { invariant: "order", taskId, message: problem };
  }
}

function lateWrite(
  { operation, messageId = "", begunAt }: HistoryCall,
  trace: TaskTrace,
  floor: number,
): string | undefined {
  const place = trace.messages.get(messageId)?.[0];
  if (operation !== "send" || place === undefined || place > floor) return undefined;
  return `message ${messageId}, sent at ${begunAt}, is entry ${place}, but entry ${floor} was answered before`;
}

function staleTask(
  { operation, digest, begunAt }: HistoryCall,
  trace: TaskTrace,
  floor: number,
): string | undefined {
  if (digest === undefined) return undefined;
  const latest = trace.latest.get(digest);
  const call = `a ${operation} that began at ${begunAt}`;
  if (latest === undefined) return `${call} shows a task that the log never made`;
  if (latest >= floor) return undefined;
  return `${call} shows the task as of ${latest}, but entry ${floor} was answered before`;
}

/** The entry that an answered call has made certain. */
function placeOf({ operation, messageId = "", digest }: HistoryCall, trace: TaskTrace): number {
  const written = operation === "send" ? (trace.messages.get(messageId)?.[0] ?? 0) : 0;
  return Math.max(written, digest === undefined ? 0 : (trace.earliest.get(digest) ?? 0));
}

function endOf({ endedAt = Infinity }: HistoryCall): number {
  return endedAt;
}
