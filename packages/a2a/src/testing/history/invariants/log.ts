import type { LogEvent } from "../../../store/internal.js";
import type { TaskTrace } from "../task-trace.js";
import type { TracedHistory } from "../traced-history.js";
import type { Violation } from "../violation.js";

/** What only the handler of a run writes. Messages, answers and cancels come from any node. */
const runEvents: ReadonlySet<LogEvent["kind"]> = new Set<LogEvent["kind"]>([
  "artifact-updated",
  "step-recorded",
  "question-asked",
  "question-closed",
  "stream-recorded",
  "message-taken",
]);

/**
 * Each log is numbered from 1 without holes and has nothing after the task's end. Epochs never fall, and under one epoch
 * one node writes what a handler does, from its beginning until a node takes up the run.
 */
export function* checkLog({ traces }: TracedHistory): Iterable<Violation> {
  for (const [taskId, trace] of traces) {
    for (const message of problemsOf(trace)) yield { invariant: "log", taskId, message };
  }
}

function* problemsOf({ task, endedAt }: TaskTrace): Iterable<string> {
  const { record, log } = task;
  if (log.length !== record.sequence) {
    yield `the log has ${log.length} entries, and its task counts ${record.sequence}`;
  }
  if (log[0]?.event.kind !== "task-created") yield "the log does not begin with task-created";
  if (endedAt !== undefined && endedAt < log.length) {
    yield `the task ended with entry ${endedAt}, and ${log.length - endedAt} entries follow`;
  }
  let writer: string | undefined;
  let highest = 0;
  for (const [index, entry] of log.entries()) {
    const { sequence, epoch, event } = entry;
    if (sequence !== index + 1) yield `entry ${index + 1} has the number ${sequence}`;
    if (index > 0 && event.kind === "task-created")
      yield `entry ${sequence} creates the task again`;
    if (epoch === undefined || entry.isAtEnd === true) continue;
    if (epoch < highest) yield `entry ${sequence} is of epoch ${epoch}, after epoch ${highest}`;
    const isTakenUp = event.kind === "run-started" || event.kind === "run-resumed";
    if (epoch > highest || isTakenUp) writer = undefined;
    highest = Math.max(highest, epoch);
    if (entry.writer === undefined || !runEvents.has(event.kind)) continue;
    writer ??= entry.writer;
    if (writer !== entry.writer) {
      yield `entry ${sequence} of epoch ${epoch} is of ${entry.writer}; ${writer} wrote under that epoch before`;
    }
  }
  if (highest > record.epoch) yield `the log has epoch ${highest}, and its task ${record.epoch}`;
}
