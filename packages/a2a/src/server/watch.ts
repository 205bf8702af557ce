import { A2AError, endsStream, foldTask, isSettled, isTerminal } from "../protocol/index.js";
import type { StreamEvent, StreamingOperation, TaskEvent } from "../protocol/index.js";
import { isTaskEvent } from "./live-task.js";
import type { LiveTask } from "./live-task.js";

const pageSize = 256;

/** Where a stream begins. */
export type WatchStart =
  /** With the task as it was created, so that everything that happened to it is told. */
  | "creation"
  /** With the task as it is. */
  | "now"
  /** After an event the watcher has seen. */
  | { readonly after: number };

/**
 * A cursor over a task's log. It holds nothing but its place: a watcher that does not ask for the next
 * event costs no memory, whatever happens meanwhile. Ends where streams of the operation end.
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
    const first = start === "creation" ? await creation(live) : await live.snapshot();
    cursor = first.sequence;
    yield { response: { task: first.task }, sequence: cursor };
    if (endsStream(operation, first.task.status.state)) return;
  }
  while (signal?.aborted !== true) {
    const entries = await live.read(cursor, pageSize);
    if (entries.length === 0) await live.changed(cursor, signal);
    for (const { sequence, response } of entries) {
      cursor = sequence;
      if (response === undefined || response.task !== undefined) continue;
      yield { response, sequence };
      const state = response.statusUpdate?.status.state;
      if (state !== undefined && endsStream(operation, state)) return;
    }
  }
}

/** The task, once it has ended or waits for its caller. */
export async function settled(
  live: LiveTask,
  signal?: AbortSignal,
): ReturnType<LiveTask["snapshot"]> {
  for (;;) {
    // The state may be ahead of its commit; only a snapshot is certain, but costs the whole task.
    const snapshot = isSettled(live.state) ? await live.snapshot() : undefined;
    if (snapshot !== undefined && isSettled(snapshot.task.status.state)) return snapshot;
    if (signal?.aborted === true) {
      throw new A2AError("UNAVAILABLE", "the call ended while its task goes on");
    }
    await live.changed(live.sequence, signal);
  }
}

async function creation(live: LiveTask): ReturnType<LiveTask["snapshot"]> {
  const entries = await live.read(0, 2);
  const events = entries.flatMap(({ event }): TaskEvent[] => (isTaskEvent(event) ? [event] : []));
  return { task: foldTask(events), sequence: entries.at(-1)?.sequence ?? 0 };
}
