import type { TaskTrace } from "../task-trace.js";
import type { TracedHistory } from "../traced-history.js";
import type { Violation } from "../violation.js";

/**
 * Each log is numbered from 1 without holes and has nothing after the task's end. Epochs never fall, and one writer
 * writes under an epoch, apart from what is written at the end of the log, whoever holds the task.
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
  const writers = new Map<number, string>();
  let highest = 0;
  for (const [index, { sequence, epoch, writer, isAtEnd, event }] of log.entries()) {
    if (sequence !== index + 1) yield `entry ${index + 1} has the number ${sequence}`;
    if (index > 0 && event.kind === "task-created")
      yield `entry ${sequence} creates the task again`;
    if (epoch === undefined || isAtEnd === true) continue;
    if (epoch < highest) yield `entry ${sequence} is of epoch ${epoch}, after epoch ${highest}`;
    highest = Math.max(highest, epoch);
    const known = writer === undefined ? undefined : (writers.get(epoch) ?? writer);
    if (known === undefined) continue;
    writers.set(epoch, known);
    if (known !== writer) {
      yield `entry ${sequence} of epoch ${epoch} is of ${String(writer)}; ${known} wrote under that epoch before`;
    }
  }
  if (highest > record.epoch) yield `the log has epoch ${highest}, and its task ${record.epoch}`;
}
