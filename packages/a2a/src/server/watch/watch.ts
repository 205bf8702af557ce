import { nextTurn } from "../../async/internal.js";
import type { Leaving } from "../../async/internal.js";
import { A2AError, endsStream, foldTask, isSettled, isTerminal } from "../../protocol/internal.js";
import type { StreamEvent, StreamingOperation, TaskEvent } from "../../protocol/internal.js";
import { isTaskEvent } from "../log/live-entry.js";
import type { LiveEntry } from "../log/live-entry.js";
import type { LiveTask, Snapshot } from "../log/live-task.js";
import type { LiveHandle } from "../log/live-tasks.js";
import type { StreamSource } from "./stream.js";

const pageSize = 256;

/** After so many events of one stream it is everyone else's turn. */
const eventsPerTurn = 16;

/** The task as it was created is the fold of so many entries: the creation and its first message. */
const createdAt = 2;

/** Where a stream begins. */
export type WatchStart =
  /** With the task as it was created, so that everything that happened to it is told. */
  | "creation"
  /** With the task as it is. */
  | "now"
  /** With the task as it was at some moment. */
  | Snapshot
  /** After an event the watcher has seen, with the events alone. */
  | { readonly after: number };

/** Where a watcher goes on that has seen an event. Of one this log does not have, it has seen nothing. */
export function resumeAfter(live: LiveTask, sequence: number | undefined): WatchStart {
  if (sequence === undefined || sequence > live.sequence) return "now";
  return sequence < createdAt ? "creation" : { after: sequence };
}

/** What a watcher watches, and how. */
interface Watching {
  readonly operation: StreamingOperation;
  readonly start: WatchStart;
  readonly leaving: Leaving;
}

/**
 * A cursor over a task's log. It holds its place and at most a page of what everyone shares: a watcher
 * that does not ask for the next event costs no memory, whatever happens meanwhile. Ends where streams of
 * the operation end, and throws `UNAVAILABLE` when its reader leaves before.
 */
export class Watcher implements StreamSource {
  readonly #handle: LiveHandle;
  readonly #watching: Watching;
  #page: readonly LiveEntry[] = [];
  #next = 0;
  #first: Promise<StreamEvent | undefined> | undefined;
  #cursor = 0;
  /** Events that were told since others had their turn. */
  #told = 0;
  #isOver = false;
  #isReleased = false;

  /** Takes over the handle. "Now" is when the watcher is made. */
  constructor(handle: LiveHandle, watching: Watching) {
    this.#handle = handle;
    this.#watching = watching;
    handle.live.watchers += 1;
    this.#first = this.#begin();
    this.#first.catch(() => undefined);
  }

  async next(): Promise<StreamEvent | undefined> {
    if (this.#first !== undefined) {
      const first = await this.#first;
      this.#first = undefined;
      if (first !== undefined) return first;
    }
    if (this.#told >= eventsPerTurn) {
      await nextTurn();
      this.#told = 0;
    }
    for (;;) {
      const taken = this.take();
      if (taken !== undefined || this.#isOver) return taken;
      const { live } = this.#handle;
      const { leaving } = this.#watching;
      if (leaving.aborted) throw leftEarly(live.origin.publicId);
      if (live.sequence <= this.#cursor) {
        await live.changed(this.#cursor, leaving);
        this.#told = 0;
      }
      this.#page = live.recent(this.#cursor, pageSize) ?? (await live.read(this.#cursor, pageSize));
      this.#next = 0;
    }
  }

  take(): StreamEvent | undefined {
    while (!this.#isOver && this.#told < eventsPerTurn) {
      const entry = this.#page[this.#next];
      if (entry === undefined) return undefined;
      this.#next += 1;
      this.#cursor = entry.sequence;
      if (entry.shown === undefined) continue;
      const state = entry.shown.response.statusUpdate?.status.state;
      this.#isOver = state !== undefined && endsStream(this.#watching.operation, state);
      this.#told += 1;
      return entry.shown;
    }
    return undefined;
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#handle.live.watchers -= 1;
    this.#handle.release();
  }

  /** The task the stream begins with, if it begins with one. */
  async #begin(): Promise<StreamEvent | undefined> {
    const { live } = this.#handle;
    const { operation, start } = this.#watching;
    if (typeof start === "object" && "after" in start) {
      this.#cursor = start.after;
      this.#isOver = start.after >= live.sequence && isTerminal(live.state);
      return undefined;
    }
    const { task, sequence } = await beginning(live, start);
    this.#cursor = sequence;
    this.#isOver = endsStream(operation, task.status.state);
    return { response: { task }, sequence };
  }
}

/**
 * What a call is answered with that was ended while its work goes on: it can be asked for again. Where there
 * is a task already it is named, since who sends the message once more instead starts another.
 */
export function leftEarly(taskId?: string): A2AError {
  return new A2AError("UNAVAILABLE", "the call ended while its work goes on; ask again", {
    details: { retryAfterSeconds: 1, ...(taskId !== undefined && { metadata: { taskId } }) },
  });
}

/** The task, once it has ended or waits for its caller. */
export async function settled(live: LiveTask, signal?: AbortSignal): Promise<Snapshot> {
  for (;;) {
    if (isSettled(live.state)) {
      // Somebody may wake the task again before its snapshot is taken.
      const snapshot = await live.snapshot();
      if (isSettled(snapshot.task.status.state)) return snapshot;
    }
    if (signal?.aborted === true) throw leftEarly(live.origin.publicId);
    await live.changed(live.sequence, signal);
  }
}

async function beginning(live: LiveTask, start: "creation" | "now" | Snapshot): Promise<Snapshot> {
  if (typeof start === "object") return start;
  return start === "now" ? live.snapshot() : creation(live);
}

async function creation(live: LiveTask): Promise<Snapshot> {
  const entries = await live.read(0, createdAt);
  const events = entries.flatMap(({ event }): TaskEvent[] => (isTaskEvent(event) ? [event] : []));
  return { task: foldTask(events), sequence: createdAt };
}
