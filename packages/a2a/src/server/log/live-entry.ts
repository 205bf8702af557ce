import { toStreamResponse } from "../../protocol/internal.js";
import type { StreamEvent, StreamResponse, TaskEvent } from "../../protocol/internal.js";
import type { LogEntry, LogEvent } from "../../store/internal.js";

/** An entry of a log, and the event that streams show of it, if they show any. */
export interface LiveEntry extends Omit<LogEntry, "at"> {
  readonly shown?: StreamEvent;
}

/** Adds what streams show of an entry. `isShared` when the task has several watchers. */
export function toLiveEntry(
  event: LogEvent,
  sequence: number,
  task: { readonly publicId: string; readonly contextId: string },
  isShared: boolean,
): LiveEntry {
  if (!isTaskEvent(event)) return { sequence, event };
  const response = toStreamResponse(event, { id: task.publicId, contextId: task.contextId });
  if (response === undefined) return { sequence, event };
  const shown = isShared ? new SharedEvent(response, sequence) : { response, sequence };
  return { sequence, event, shown };
}

/** An event that caches its encodings, so that several watchers' bindings encode it once. `encodings` is a getter, so copies of the event leave it out. */
class SharedEvent implements StreamEvent {
  readonly response: StreamResponse;
  readonly sequence: number;
  readonly #encodings = new Map<string, unknown>();

  constructor(response: StreamResponse, sequence: number) {
    this.response = response;
    this.sequence = sequence;
  }

  get encodings(): Map<string, unknown> {
    return this.#encodings;
  }
}

const taskEventKinds: ReadonlySet<string> = new Set<TaskEvent["kind"]>([
  "task-created",
  "message-added",
  "status-changed",
  "artifact-updated",
]);

/** True for events of the task itself, false for the private journal of its runs. */
export function isTaskEvent(event: LogEvent): event is Extract<LogEvent, TaskEvent> {
  return taskEventKinds.has(event.kind);
}
