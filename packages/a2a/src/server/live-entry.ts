import { toStreamResponse } from "../protocol/index.js";
import type { StreamEvent, TaskEvent } from "../protocol/index.js";
import type { LogEntry, LogEvent } from "../store/index.js";

/** An entry of a log and what streams show of it. */
export interface LiveEntry extends LogEntry {
  readonly shown?: StreamEvent;
}

/** Finds what streams show of an entry of a task; made once and shared by all who watch. */
export function toLiveEntry(
  entry: LogEntry,
  task: { readonly publicId: string; readonly contextId: string },
): LiveEntry {
  const { event } = entry;
  if (!isTaskEvent(event)) return entry;
  const { sequence } = entry;
  const response = toStreamResponse(event, { id: task.publicId, contextId: task.contextId });
  return response === undefined ? entry : { sequence, event, shown: { response, sequence } };
}

const taskEventKinds: ReadonlySet<string> = new Set<TaskEvent["kind"]>([
  "task-created",
  "message-added",
  "status-changed",
  "artifact-updated",
]);

/** True for events of the task itself, false for the private ones of its runs. */
export function isTaskEvent(event: LogEvent): event is Extract<LogEvent, TaskEvent> {
  return taskEventKinds.has(event.kind);
}
