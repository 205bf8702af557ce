import type { LogEntry } from "@parley/a2a/store";
import { recordOfLog } from "../task/record-of-log.js";
import { SessionLogs } from "../task/session-logs.js";
import type { Recording } from "./read-recording.js";

/** A recording of an agent elsewhere has no logs and no records: those of its tasks are made of what its hops have brought. */
export function withSessionLogs(recording: Recording): Recording {
  const session = new SessionLogs();
  for (const hop of recording.hops) session.add(hop);
  const logs = new Map<string, readonly LogEntry[]>(recording.logs);
  for (const [taskId, { entries }] of session.logs) {
    if (!logs.has(taskId)) logs.set(taskId, entries);
  }
  const known = new Set(recording.tasks.map(({ taskId }) => taskId));
  const agent = recording.agent?.card.name ?? recording.agent?.url ?? "";
  const others = [...logs].flatMap(([taskId, entries]) =>
    known.has(taskId) ? [] : [recordOfLog(taskId, entries, agent)],
  );
  return { ...recording, tasks: [...recording.tasks, ...others], logs };
}
