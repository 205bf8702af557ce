import type { LogEntry, TaskRecord } from "@parley/a2a/store";
import { LogIndex } from "../log/log-index.js";

/** The record of a task that no store has: what one would say of its log. */
export function recordOfLog(
  taskId: string,
  entries: readonly LogEntry[],
  agent: string,
): TaskRecord {
  const index = new LogIndex(entries);
  const last = index.length - 1;
  const change = index.changes.at(-1) ?? 0;
  return {
    taskId,
    owner: { tenant: "", subject: "" },
    agent,
    contextId: index.contextId ?? "",
    createdIn: "",
    state: index.stateAt(last),
    statusAt: index.timeAt(change),
    sequence: index.sequenceAt(last),
    bytes: 0,
    epoch: 0,
  };
}
