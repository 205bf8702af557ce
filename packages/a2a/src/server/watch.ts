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
  /** After an event the watcher has seen, with the events alone. */
  | { readonly after: number };

/** Where a watcher goes on that has seen an event. Of one this log does not have, it has seen nothing. */
export function resumeAfter(live: LiveTask, sequence: number | undefined): WatchStart {
  if (sequence === undefined || sequence > live.sequence) return "now";
  return sequence === 0 ? "creation" : { after: sequence };
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
    // The state may be ahead of its commit, and then there is more to come.
    if (isTerminal(live.state) && cursor >= (await live.snapshot()).sequence) return;
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
    // The state may be ahead of its commit; only a snapshot is certain, but costs the whole task.
    const snapshot = isSettled(live.state) ? await live.snapshot() : undefined;
    if (snapshot !== undefined && isSettled(snapshot.task.status.state)) return snapshot;
    if (signal?.aborted === true) throw leftEarly();
    await live.changed(live.sequence, signal);
  }
}

async function creation(live: LiveTask): ReturnType<LiveTask["snapshot"]> {
  const entries = await live.read(0, 2);
  const events = entries.flatMap(({ event }): TaskEvent[] => (isTaskEvent(event) ? [event] : []));
  return { task: foldTask(events), sequence: entries.at(-1)?.sequence ?? 0 };
}
