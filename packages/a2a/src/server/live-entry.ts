import { toStreamResponse } from "../protocol/index.js";
import type { StreamEvent, TaskEvent } from "../protocol/index.js";
import type { LogEntry, LogEvent } from "../store/index.js";

/** An entry of a log and what streams show of it. */
export interface LiveEntry extends LogEntry {
  readonly shown?: StreamEvent;
}

/** Finds what streams show of an entry of a task, to one watcher or to several. */
export function toLiveEntry(
  entry: LogEntry,
  task: { readonly publicId: string; readonly contextId: string },
  isShared: boolean,
): LiveEntry {
  const { event } = entry;
  if (!isTaskEvent(event)) return entry;
  const { sequence } = entry;
  const response = toStreamResponse(event, { id: task.publicId, contextId: task.contextId });
  if (response === undefined) return entry;
  // What one watcher's binding makes of the event, the others' use.
  const shown = isShared ? { response, sequence, encodings: new Map() } : { response, sequence };
  return { sequence, event, shown };
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
