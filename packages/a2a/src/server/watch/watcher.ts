import { LightSignal, onAbort } from "../../async/internal.js";
import type { AnySignal, Clock, Reader, StreamSource } from "../../async/internal.js";
import { A2AError, endsStream, foldTask, isSettled, isTerminal } from "../../protocol/internal.js";
import type { StreamEvent, StreamingOperation, TaskEvent } from "../../protocol/internal.js";
import { isTaskEvent } from "../log/live-entry.js";
import type { LiveEntry } from "../log/live-entry.js";
import type { LiveTask } from "../log/live-task.js";
import type { LiveHandle } from "../log/live-tasks.js";
import type { Snapshot, Waiter } from "../log/task-replica.js";

const pageSize = 256;

/** After this many events, a stream lets the event loop serve everyone else. */
const eventsPerTurn = 16;

/** A task as it was created is the fold of its first two entries: `task-created` and its first message. */
const createdAt = 2;

/** Where a stream begins. */
export type WatchStart =
  /** With the task as it was created, followed by every event since. */
  | "creation"
  /** With the task as it is now. */
  | "now"
  /** With the task as of an earlier moment. */
  | Snapshot
  /** With the events after one that the watcher has seen, and without the task. */
  | { readonly after: number };

/** Where a watcher resumes that has seen an event. A sequence that the log does not have counts as none. */
export function resumeAfter(live: LiveTask, sequence: number | undefined): WatchStart {
  if (sequence === undefined || sequence > live.replica.sequence) return "now";
  return sequence < createdAt ? "creation" : { after: sequence };
}

/** What a watcher watches, and how. */
interface Watching {
  readonly operation: StreamingOperation;
  readonly start: WatchStart;
  /** Aborted when the reader has left. */
  readonly signal: AnySignal;
  /** Present where the stream begins with a large task. */
  readonly large?: LargeStart | undefined;
}

/** The encodings of a large task that a stream begins with, and what to call when it has been read. */
interface LargeStart {
  readonly value: { readonly encodings: Map<string, unknown> };
  readonly release: () => void;
}

/**
 * A cursor over a task's log. It holds its place and at most one page of entries, and nothing while it waits: a watcher
 * that does not ask for the next event costs no memory, whatever happens meanwhile. It ends where streams of its
 * operation end, and fails with `UNAVAILABLE` when its reader leaves before that.
 */
export class Watcher implements StreamSource<StreamEvent>, Waiter {
  readonly #handle: LiveHandle;
  readonly #operation: StreamingOperation;
  #large: LargeStart | undefined;
  #page: readonly LiveEntry[] = nothing;
  #next = 0;
  /** Whether the stream's place in the log is known, and `#first` with it. */
  #hasBegun = false;
  #first: StreamEvent | undefined;
  #cursor = 0;
  /** Events read since the event loop last served everyone else. */
  #eventsInTurn = 0;
  #isAtEnd = false;
  #failure: Error | undefined;
  #reader: Reader | undefined;
  /** Where it waits in the replica. */
  #place: number | undefined;
  /** Whether it reads a page, or lets others have their turns. */
  #isBusy = false;
  #isReleased = false;

  /** Releases the handle at its end. A start of "now" means the moment of this call. */
  constructor(handle: LiveHandle, { operation, start, signal, large }: Watching) {
    this.#handle = handle;
    this.#operation = operation;
    this.#large = large;
    handle.live.watchers += 1;
    onAbort(signal, () => this.#leave());
    if (signal.aborted) this.#leave();
    void this.#begin(start);
  }

  get isOver(): boolean {
    return this.#isAtEnd && this.#first === undefined && this.#hasBegun;
  }

  take(): StreamEvent | undefined {
    if (!this.#hasBegun) return undefined;
    const first = this.#first;
    if (first !== undefined) {
      this.#first = undefined;
      return first;
    }
    // A reader that asks for the next event has written the one before.
    this.#letGoOfFirst();
    if (this.#isAtEnd || this.#eventsInTurn >= eventsPerTurn) return undefined;
    const shown = this.#findShown();
    if (shown === undefined) {
      if (this.#failure !== undefined) throw this.#failure;
      return undefined;
    }
    this.#pass(this.#page[this.#next]);
    const state = shown.response.statusUpdate?.status.state;
    this.#isAtEnd = state !== undefined && endsStream(this.#operation, state);
    this.#eventsInTurn += 1;
    return shown;
  }

  onReady(reader: Reader): void {
    this.#reader = reader;
    if (!this.#hasBegun || this.#isBusy || this.#place !== undefined) return;
    const { live } = this.#handle;
    if (this.#first !== undefined || this.#isAtEnd) this.#tell();
    else if (this.#eventsInTurn >= eventsPerTurn) this.#goOnAfter(this.#nextTurn());
    else if (this.#findShown() !== undefined || this.#failure !== undefined) this.#tell();
    else if (live.replica.sequence > this.#cursor) this.#goOnAfter(this.#read());
    else this.#place = live.replica.wait(this);
  }

  /** The log has grown. The reader goes on waiting if streams show nothing of that. */
  wake(): void {
    this.#place = undefined;
    this.#eventsInTurn = 0;
    this.#goOn();
  }

  fail(reason: Error): void {
    this.#failure ??= reason;
    this.#place = undefined;
    this.#tell();
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#reader = undefined;
    this.#stopWaiting();
    this.#letGoOfFirst();
    this.#page = nothing;
    this.#handle.live.watchers -= 1;
    this.#handle.release();
  }

  #leave(): void {
    this.#stopWaiting();
    this.fail(leftEarly(this.#handle.live.identity.publicId));
  }

  #stopWaiting(): void {
    if (this.#place !== undefined) this.#handle.live.replica.stopWaiting(this.#place);
    this.#place = undefined;
  }

  #tell(): void {
    if (!this.#hasBegun) return;
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.wake();
  }

  /** Lets the reader go on, or wait on. */
  #goOn(): void {
    if (this.#reader !== undefined) this.onReady(this.#reader);
  }

  #goOnAfter(work: Promise<unknown>): void {
    this.#isBusy = true;
    const goOn = (): void => {
      this.#isBusy = false;
      this.#goOn();
    };
    work.then(goOn, (reason: Error) => {
      this.#failure ??= reason;
      goOn();
    });
  }

  /** Keeps nothing of a large task: a stream may last for days. */
  #letGoOfFirst(): void {
    this.#large?.release();
    this.#large = undefined;
  }

  /** The next event of those in memory, passing over entries that streams do not show. */
  #findShown(): StreamEvent | undefined {
    for (;;) {
      const entry = this.#page[this.#next];
      if (entry?.shown !== undefined) return entry.shown;
      if (entry !== undefined) this.#pass(entry);
      else if (!this.#turnPage()) return undefined;
    }
  }

  #pass(entry: LiveEntry | undefined): void {
    this.#next += 1;
    this.#cursor = entry?.sequence ?? this.#cursor;
  }

  /** Goes on to the entries after this page, if they are in memory. A page that has been read is not kept. */
  #turnPage(): boolean {
    const { replica } = this.#handle.live;
    const isBehind = this.#failure === undefined && replica.sequence > this.#cursor;
    this.#page = (isBehind ? replica.recent(this.#cursor, pageSize) : undefined) ?? nothing;
    this.#next = 0;
    return this.#page.length > 0;
  }

  async #nextTurn(): Promise<void> {
    await this.#handle.live.nextTurn();
    this.#eventsInTurn = 0;
  }

  /** Reads a page that is no longer in memory. */
  async #read(): Promise<void> {
    this.#page = await this.#handle.live.read(this.#cursor, pageSize);
    this.#next = 0;
  }

  async #begin(start: WatchStart): Promise<void> {
    try {
      this.#first = await this.#findBeginning(start);
    } catch (error) {
      this.#failure = error as Error;
    }
    this.#hasBegun = true;
    this.#goOn();
  }

  /** Finds the stream's place in the log, and the task that the stream begins with, if it begins with one. */
  async #findBeginning(start: WatchStart): Promise<StreamEvent | undefined> {
    const { live } = this.#handle;
    const large = this.#large;
    if (typeof start === "object" && "after" in start) {
      this.#cursor = start.after;
      this.#isAtEnd = start.after >= live.replica.sequence && isTerminal(live.replica.state);
      return undefined;
    }
    const { task, sequence } = await beginning(live, start);
    this.#cursor = sequence;
    this.#isAtEnd = endsStream(this.#operation, task.status.state);
    if (large === undefined) return { response: { task }, sequence };
    return { response: { task }, sequence, encodings: large.value.encodings, isLarge: true };
  }
}

const nothing: readonly LiveEntry[] = [];

/**
 * The error of a call that ended while its work goes on. It names the task where there is one, because a caller
 * that sends the message again would start another task.
 */
export function leftEarly(taskId?: string): A2AError {
  return new A2AError("UNAVAILABLE", "the call ended while its work goes on; ask again", {
    details: { retryAfterSeconds: 1, ...(taskId !== undefined && { metadata: { taskId } }) },
  });
}

/** Waits until the task has ended or waits for its caller, and returns it. */
export async function settled(live: LiveTask, signal?: AnySignal): Promise<Snapshot> {
  for (;;) {
    if (isSettled(live.replica.state)) {
      // A message may start the next run before the snapshot is taken.
      const snapshot = await live.snapshot();
      if (isSettled(snapshot.task.status.state)) return snapshot;
    }
    if (signal?.aborted === true) throw leftEarly(live.identity.publicId);
    await live.replica.changed(live.replica.sequence, signal);
  }
}

/** The same, but from a moment on it returns the task as it is. */
export async function settledBy(
  live: LiveTask,
  until: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AnySignal | undefined },
): Promise<Snapshot> {
  const waitMs = until - clock.now();
  if (waitMs <= 0) return live.snapshot();
  const stop = new LightSignal();
  const cancel = clock.after(waitMs, () => stop.abort());
  const stopListening = signal && onAbort(signal, () => stop.abort());
  try {
    return await settled(live, stop);
  } catch (error) {
    const isTooLate = stop.aborted && signal?.aborted !== true;
    if (!isTooLate) throw error;
    return await live.snapshot();
  } finally {
    cancel();
    stopListening?.();
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
