import { toStreamResponse } from "../protocol/index.js";
import type { StreamEvent, StreamResponse, TaskEvent } from "../protocol/index.js";
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
  return response === undefined
    ? entry
    : { sequence, event, shown: new ShownEvent(response, sequence) };
}

/** What one watcher's binding has made of the event, the others' use. */
class ShownEvent implements StreamEvent {
  readonly response: StreamResponse;
  readonly sequence: number;
  #encodings: Map<string, unknown> | undefined;

  constructor(response: StreamResponse, sequence: number) {
    this.response = response;
    this.sequence = sequence;
  }

  get encodings(): Map<string, unknown> {
    return (this.#encodings ??= new Map());
  }
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
