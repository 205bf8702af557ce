import type { History } from "./history.js";
import { traceTask } from "./task-trace.js";
import type { TaskTrace } from "./task-trace.js";

/** A history, with every log read once. */
export interface TracedHistory extends History {
  readonly traces: ReadonlyMap<string, TaskTrace>;
  /** In which tasks' logs a message is, once for each time it is there. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
}

/** Reads every log once, for all invariants. */
export function traceHistory(history: History): TracedHistory {
  const traces = new Map<string, TaskTrace>();
  const holders = new Map<string, string[]>();
  for (const task of history.end.tasks) {
    const { taskId } = task.record;
    const trace = traceTask(task);
    traces.set(taskId, trace);
    for (const [messageId, places] of trace.messages) {
      const held = holders.get(messageId) ?? [];
      for (const _ of places) held.push(taskId);
      holders.set(messageId, held);
    }
  }
  return { ...history, traces, holders };
}

/** When the last fault was over; 0 if there was none. */
function lastFaultAt({ faults }: Pick<History, "faults">): number {
  return faults.reduce((last, { endedAt }) => Math.max(last, endedAt), 0);
}

/** Whether the store was read two leases after the last fault: by then everything has come to rest. */
export function isQuiet(history: Pick<History, "faults" | "end">): boolean {
  const { readAt, leaseMs } = history.end;
  return readAt - lastFaultAt(history) >= 2 * leaseMs;
}
