import { A2AError, endsStream, foldTask, isSettled, isTerminal } from "../protocol/index.js";
import type { StreamEvent, StreamingOperation, TaskEvent } from "../protocol/index.js";
import { isTaskEvent } from "./live-entry.js";
import type { LiveTask } from "./live-task.js";

const pageSize = 256;

/** The task as it was created is the fold of so many entries: the creation and its first message. */
const createdAt = 2;

/** Where a stream begins. */
export type WatchStart =
  /** With the task as it was created, so that everything that happened to it is told. */
  | "creation"
  /** With the task as it is. */
  | "now"
  /** After an event the watcher has seen, with the events alone. */
  | { readonly after: number };

/** Where a watcher goes on that has seen an event. Of one this log does not have, it has seen nothing. */
export function resumeAfter(live: LiveTask, sequence: number | undefined): WatchStart {
  if (sequence === undefined || sequence > live.sequence) return "now";
  return sequence < createdAt ? "creation" : { after: sequence };
}

/**
 * A cursor over a task's log. It holds nothing but its place: a watcher that does not ask for the next
 * event costs no memory, whatever happens meanwhile. Ends where streams of the operation end, and
 * throws `UNAVAILABLE` when the signal ends it before.
 */
export async function* watch(
  live: LiveTask,
  operation: StreamingOperation,
  start: WatchStart,
  signal?: AbortSignal,
): AsyncGenerator<StreamEvent, void, void> {
  let cursor: number;
  if (typeof start === "object") {
    cursor = start.after;
    if (cursor >= live.sequence && isTerminal(live.state)) return;
  } else {
    const { task, sequence } = start === "now" ? await live.snapshot() : await creation(live);
    cursor = sequence;
    yield { response: { task }, sequence };
    if (endsStream(operation, task.status.state)) return;
  }
  while (signal?.aborted !== true) {
    await live.changed(cursor, signal);
    if (cursor >= live.sequence) continue;
    for (const { sequence, response } of await live.read(cursor, pageSize)) {
      cursor = sequence;
      if (response === undefined) continue;
      yield { response, sequence };
      const state = response.statusUpdate?.status.state;
      if (state !== undefined && endsStream(operation, state)) return;
    }
  }
  throw leftEarly();
}

/** What a call is answered with that was ended while its work goes on: it can be asked for again. */
export function leftEarly(): A2AError {
  return new A2AError("UNAVAILABLE", "the call ended while its work goes on; ask again", {
    details: { retryAfterSeconds: 1 },
  });
}

/** The task, once it has ended or waits for its caller. */
export async function settled(
  live: LiveTask,
  signal?: AbortSignal,
): ReturnType<LiveTask["snapshot"]> {
  for (;;) {
    if (isSettled(live.state)) {
      // Somebody may wake the task again before its snapshot is taken.
      const snapshot = await live.snapshot();
      if (isSettled(snapshot.task.status.state)) return snapshot;
    }
    if (signal?.aborted === true) throw leftEarly();
    await live.changed(live.sequence, signal);
  }
}

async function creation(live: LiveTask): ReturnType<LiveTask["snapshot"]> {
  const entries = await live.read(0, createdAt);
  const events = entries.flatMap(({ event }): TaskEvent[] => (isTaskEvent(event) ? [event] : []));
  return { task: foldTask(events), sequence: createdAt };
}
