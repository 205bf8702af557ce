import { nextTurn, createDeferred, onLeave, Roster } from "../../async/internal.js";
import type { Deferred, Leaving } from "../../async/internal.js";
import type { Bus } from "../../bus/internal.js";
import { A2AError, TaskFold } from "../../protocol/internal.js";
import type { Task, TaskState } from "../../protocol/internal.js";
import type { LogEvent, NewTask, Store, StoredTask } from "../../store/internal.js";
import type { Notifier } from "../push/notifier.js";
import { assembleAppend } from "./draft.js";
import type { Draft } from "./draft.js";
import { isTaskEvent, toLiveEntry } from "./live-entry.js";
import type { LiveEntry } from "./live-entry.js";
import { RecentEntries } from "./recent-entries.js";
import { publicTaskId } from "./task-key.js";
import { weigh } from "./weigh.js";

/** Decides what to write when its turn has come; `undefined` writes nothing. */
export type Build = (state: TaskState) => Draft | undefined;

/** Where the log stood when a write was committed, and under which epoch. */
export interface Committed {
  readonly sequence: number;
  readonly epoch: number;
}

export interface WriteOptions {
  /**
   * Shares its commit with no other write but outputs before it, and is decided once all others before it
   * are committed.
   */
  readonly alone?: boolean | undefined;
  /** Only tells what a run says: no other write depends on it. */
  readonly isOutput?: boolean;
  /** Refused with `CONCURRENT_MODIFICATION` under any other epoch. Absent: under the latest. */
  readonly epoch?: number | undefined;
}

/** A write on its way, and who hears what became of it. */
export interface Write extends WriteOptions {
  readonly build: Build;
  readonly resolve: (committed: Committed) => void;
  readonly reject: (reason: unknown) => void;
}

/** Hears what happens to a task, by whomever, as soon as this node knows. */
export interface LiveObserver {
  readonly added: (entry: LiveEntry) => void;
  /** The right to write was claimed; who had it under an earlier epoch has lost it. */
  readonly claimed: (epoch: number) => void;
}

/** A task as of an entry of its log. */
export interface Snapshot {
  readonly task: Task;
  readonly sequence: number;
}

/** Who waits for news, once. */
interface Waiter {
  readonly resolve: () => void;
  readonly reject: (reason: A2AError) => void;
}

interface Origin extends NewTask {
  readonly taskId: string;
  /** The id callers see; another than the store's where a 0.1 client chose it. */
  readonly publicId: string;
}

/** Writes that go together, and what each of them writes. */
interface Batch {
  readonly writes: Write[];
  readonly drafts: Draft[];
}

interface Engines {
  readonly store: Store;
  readonly bus: Bus;
  readonly notifier: Notifier | undefined;
}

/** An append that has so many events takes no more; a writer that is ahead of the disk shares commits. */
export const maxBatchEvents = 64;
const pageSize = 1000;
/** For so many events everything else in the process gets a turn, however fast the store is. */
const eventsPerTurn = 16;

/**
 * A task that somebody on this node writes or watches: its fold, its latest entries, and the one queue
 * through which this node writes to it. What is not committed is never shown.
 */
export class LiveTask {
  readonly origin: Origin;
  /** How many streams there are of it on this node. */
  watchers = 0;
  readonly #engines: Engines;
  readonly #recent = new RecentEntries<LiveEntry>();
  readonly #queue: Write[] = [];
  readonly #observers = new Set<LiveObserver>();
  readonly #waiters = new Roster<Waiter>();
  #refreshes: Deferred<void>[] = [];
  #snapshots: Deferred<Snapshot>[] = [];
  #taking: Deferred<void> | undefined;
  /** While a commit is under way, ahead of the log. */
  #fold: TaskFold | undefined;
  #state: TaskState = "TASK_STATE_UNSPECIFIED";
  #sequence = 0;
  #epoch = 1;
  #checkpointAt = 0;
  #bytes: number | undefined;
  /** Events that were committed and for which others have not had their turns. */
  #eventsAhead = 0;
  #isPumping = false;
  /** The fold is not what the log says, and has to be made anew. */
  #isDirty = false;
  #hasCommitted = false;
  #closed: A2AError | undefined;

  /** A task that is not stored yet. Its first write creates it. */
  constructor(engines: Engines, origin: Origin) {
    this.#engines = engines;
    this.origin = origin;
  }

  static of(engines: Engines, stored: StoredTask): LiveTask {
    const { taskId, owner, agent, contextId, origin } = stored.record;
    const publicId = publicTaskId(taskId);
    const live = new LiveTask(engines, { taskId, owner, agent, contextId, origin, publicId });
    live.#restore(stored);
    live.#sequence = stored.record.sequence;
    live.#epoch = stored.record.epoch;
    live.#recent.startAfter(stored.record.sequence);
    return live;
  }

  /** The last committed entry. */
  get sequence(): number {
    return this.#sequence;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** Where the task stood at the last commit. */
  get state(): TaskState {
    return this.#state;
  }

  /** How many writes wait for their turn. */
  get backlog(): number {
    return this.#queue.length;
  }

  /** How much the task holds, roughly. */
  get bytes(): number {
    this.#bytes ??= this.#fold === undefined ? 0 : weigh(this.#fold.task());
    return this.#bytes;
  }

  /** The right to write has been claimed anew. */
  adopt(epoch: number): void {
    if (epoch <= this.#epoch) return;
    this.#epoch = epoch;
    for (const { claimed } of this.#observers) claimed(epoch);
  }

  /** Writes once its turn has come, and again after others were faster. */
  write(build: Build, options: WriteOptions = {}): Promise<Committed> {
    return new Promise((resolve, reject) => {
      this.enqueue({ build, alone: options.alone, epoch: options.epoch, resolve, reject });
    });
  }

  /** Like `write`, for writers of many who need no promise for each. */
  enqueue(write: Write): void {
    this.#queue.push(write);
    void this.#pump();
  }

  /**
   * Resolves when writes that wait for their turn have come to it. A writer that is ahead of the store
   * waits for this and not for a commit, so that it has the next writes ready by then.
   */
  async taken(): Promise<void> {
    if (this.#queue.length === 0) return;
    this.#taking ??= createDeferred();
    await this.#taking.promise;
  }

  /** Takes in what other nodes have written until now. */
  refresh(): Promise<void> {
    const done = createDeferred<void>();
    this.#refreshes.push(done);
    void this.#pump();
    return done.promise;
  }

  /**
   * Looks whether other nodes have written, in case nobody said so. Not needed for a task to which this
   * node has written since: had others done so too, its write would have met theirs.
   */
  async poll(): Promise<void> {
    const isUpToDate = this.#hasCommitted;
    this.#hasCommitted = false;
    if (!isUpToDate) await this.refresh();
  }

  /** The task as of the last commit. */
  snapshot(): Promise<Snapshot> {
    const taken = createDeferred<Snapshot>();
    this.#snapshots.push(taken);
    if (this.#isDirty) void this.#pump();
    else if (!this.#isPumping) this.#takeSnapshots();
    return taken.promise;
  }

  /** Entries after a sequence from memory, at most `limit` of them; `undefined` when some are not there. */
  recent(sequence: number, limit: number): readonly LiveEntry[] | undefined {
    return this.#recent.after(sequence, limit);
  }

  /** Entries after a sequence from memory or store, at most `limit` of them. */
  async read(sequence: number, limit: number): Promise<readonly LiveEntry[]> {
    const recent = this.recent(sequence, limit);
    if (recent !== undefined) return recent;
    const entries = await this.#engines.store.read(this.origin.taskId, sequence, limit);
    if (entries.length === 0) throw this.#gone();
    // The store may know more than this node has taken in; everyone sees the same at the same time.
    return entries
      .filter((entry) => entry.sequence <= this.#sequence)
      .map(({ event, sequence }) => toLiveEntry(event, sequence, this.origin, false));
  }

  /** Tells an observer of everything from an entry on, those that are known already at once. */
  observe(after: number, observer: LiveObserver): () => void {
    for (const entry of this.#recent.after(after) ?? []) observer.added(entry);
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** Resolves when the log has grown beyond a sequence, or when who waits has left. */
  changed(beyond: number, leaving?: Leaving): Promise<void> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    if (this.#sequence > beyond || leaving?.aborted === true) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const place = this.#waiters.add({ resolve: () => end(), reject: (reason) => end(reason) });
      const stopListening = leaving && onLeave(leaving, () => end());
      const end = (reason?: A2AError): void => {
        this.#waiters.remove(place);
        stopListening?.();
        if (reason === undefined) resolve();
        else reject(reason);
      };
    });
  }

  /** Sends everyone away who waits for news. */
  close(reason: A2AError): void {
    this.#closed = reason;
    for (const waiter of this.#waiters.members()) waiter.reject(reason);
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      while (this.#isDirty || this.#refreshes.length > 0 || this.#queue.length > 0) {
        if (this.#isDirty) await this.#rebuild();
        else if (this.#refreshes.length > 0) await this.#follow();
        else if (this.#eventsAhead >= eventsPerTurn) await this.#giveTurn();
        else await this.#commitBatch();
        if (!this.#isDirty) this.#takeSnapshots();
      }
    } catch (error) {
      // The store does not answer. Whoever asks next starts over.
      const waiting = [...this.#queue.splice(0), ...this.#refreshes];
      for (const waiter of [...waiting, ...this.#snapshots]) waiter.reject(error);
      this.#refreshes = [];
      this.#snapshots = [];
      this.#taking?.resolve();
      this.#taking = undefined;
    } finally {
      this.#isPumping = false;
    }
  }

  /** Lets everyone else have a turn that is theirs, before there is more of this. */
  async #giveTurn(): Promise<void> {
    this.#eventsAhead -= eventsPerTurn;
    await nextTurn();
  }

  async #commitBatch(): Promise<void> {
    const batch = this.#takeBatch();
    this.#taking?.resolve();
    this.#taking = undefined;
    if (batch.writes.length === 0 || this.#fold === undefined) return;
    const { store, notifier } = this.#engines;
    const { writes, drafts } = batch;
    const append = assembleAppend(drafts, {
      origin: this.origin,
      sequence: this.#sequence,
      epoch: this.#epoch,
      checkpointAt: this.#checkpointAt,
      fold: this.#fold,
      notifyAt: notifier?.now(),
    });
    try {
      const queued = await store.append(append);
      if (queued > 0) notifier?.wake();
    } catch (error) {
      await this.#recover(writes, append, error);
      return;
    }
    const { events } = append;
    if (append.checkpoint !== undefined) this.#checkpointAt = this.#sequence + events.length;
    this.#hasCommitted = true;
    for (const draft of drafts) this.#gain(draft.events, draft.bytes);
    this.#takeIn(events);
    this.#engines.bus.publish(this.origin.taskId, this.#sequence);
    const committed = { sequence: this.#sequence, epoch: append.epoch };
    for (const write of writes) write.resolve(committed);
    this.#eventsAhead += events.length;
  }

  /** Decides the next writes and folds them in, ahead of their commit. */
  #takeBatch(): Batch {
    const batch: Batch = { writes: [], drafts: [] };
    let events = 0;
    let areOutputs = true;
    while (events < maxBatchEvents) {
      const [write] = this.#queue;
      if (write === undefined || (write.alone === true && !areOutputs)) break;
      this.#queue.shift();
      try {
        if ((write.epoch ?? this.#epoch) !== this.#epoch) throw this.#fenced();
        const draft = write.build(this.#fold?.status.state ?? this.#state);
        if (draft === undefined) {
          write.resolve({ sequence: this.#sequence, epoch: this.#epoch });
        } else {
          this.#apply(draft.events);
          areOutputs &&= write.isOutput === true;
          batch.writes.push(write);
          batch.drafts.push(draft);
          events += draft.events.length;
        }
      } catch (error) {
        write.reject(error);
      }
      if (write.alone === true) break;
    }
    return batch;
  }

  /** After a refused or failed append the fold is ahead of the log: know the truth before going on. */
  async #recover(
    writes: readonly Write[],
    before: { readonly expectedSequence: number; readonly epoch: number },
    error: unknown,
  ): Promise<void> {
    const rejectWith = (reason: unknown): void => {
      for (const write of writes) write.reject(reason);
    };
    if (before.expectedSequence === 0 || !isConflict(error)) {
      this.#isDirty = before.expectedSequence > 0;
      return rejectWith(error);
    }
    try {
      await this.#rebuild();
    } catch (failure) {
      this.#isDirty = true;
      rejectWith(failure);
      throw failure;
    }
    // When nothing stands in the way of these writes but what they bring along, trying again is in vain.
    const isUnchanged = this.#sequence === before.expectedSequence && this.#epoch === before.epoch;
    if (isUnchanged) rejectWith(error);
    else this.#queue.unshift(...writes);
  }

  /** Folds in what others have added. */
  async #follow(): Promise<void> {
    const refreshes = this.#refreshes;
    this.#refreshes = [];
    try {
      const record = await this.#engines.store.loadRecord(this.origin.taskId);
      if (record === undefined) throw this.#gone();
      const missing = await this.#readBetween(this.#sequence, record.sequence);
      this.#apply(missing);
      this.#gain(missing);
      this.#takeIn(missing);
      this.adopt(record.epoch);
      for (const { resolve } of refreshes) resolve();
    } catch (error) {
      for (const { reject } of refreshes) reject(error);
    }
  }

  /** Starts over from what is stored. */
  async #rebuild(): Promise<void> {
    const stored = await this.#engines.store.load(this.origin.taskId);
    if (stored === undefined) throw this.#gone();
    const missing = await this.#readBetween(this.#sequence, stored.record.sequence);
    this.#restore(stored);
    this.#bytes = undefined;
    this.#isDirty = false;
    this.#takeIn(missing);
    this.adopt(stored.record.epoch);
  }

  async #readBetween(after: number, upTo: number): Promise<readonly LogEvent[]> {
    const events: LogEvent[] = [];
    while (after < upTo) {
      const limit = Math.min(pageSize, upTo - after);
      const page = await this.#engines.store.read(this.origin.taskId, after, limit);
      if (page.length === 0) throw this.#gone();
      for (const { event } of page) events.push(event);
      after += page.length;
    }
    return events;
  }

  /** Makes the fold anew; how far the log has been told of is left as it is. */
  #restore({ checkpoint, tail, record }: StoredTask): void {
    this.#fold = checkpoint === undefined ? undefined : new TaskFold(checkpoint.task);
    this.#apply(tail.map(({ event }) => event));
    this.#checkpointAt = checkpoint?.sequence ?? 0;
    this.#state = record.state;
  }

  #apply(events: readonly LogEvent[]): void {
    for (const [index, event] of events.entries()) {
      if (!isTaskEvent(event)) continue;
      try {
        if (this.#fold !== undefined) this.#fold.apply(event);
        else if (event.kind === "task-created") this.#fold = new TaskFold(event);
      } catch (error) {
        this.#isDirty ||= index > 0;
        throw error;
      }
    }
  }

  #gain(events: readonly LogEvent[], bytes?: number): void {
    if (this.#bytes === undefined) return;
    this.#bytes += bytes ?? events.reduce((sum, event) => sum + weigh(event), 0);
  }

  /** Tells everyone here of the events that come next in the log. */
  #takeIn(events: readonly LogEvent[]): void {
    const isShared = this.watchers > 1;
    for (const event of events) {
      this.#sequence += 1;
      if (event.kind === "status-changed" || event.kind === "task-created") {
        this.#state = event.status.state;
      }
      const entry = toLiveEntry(event, this.#sequence, this.origin, isShared);
      this.#recent.push(entry);
      for (const { added } of this.#observers) added(entry);
    }
    if (events.length === 0) return;
    for (const waiter of this.#waiters.members()) waiter.resolve();
  }

  /** To be called only while the fold is what the log says. */
  #takeSnapshots(): void {
    if (this.#snapshots.length === 0 || this.#fold === undefined) return;
    const snapshot = { task: this.#fold.task(), sequence: this.#sequence };
    for (const { resolve } of this.#snapshots) resolve(snapshot);
    this.#snapshots = [];
  }

  #fenced(): A2AError {
    const message = `task ${this.origin.publicId} is in other hands now`;
    return new A2AError("CONCURRENT_MODIFICATION", message);
  }

  #gone(): A2AError {
    return new A2AError("TASK_NOT_FOUND", `there is no task ${this.origin.publicId} any more`);
  }
}

/** True when others were faster with a write. */
export function isConflict(error: unknown): boolean {
  return A2AError.is(error) && error.code === "CONCURRENT_MODIFICATION";
}

/** True when a write is not in the log for certain: it was refused, by the store or before. */
export function isRefused(error: unknown): boolean {
  return A2AError.is(error) && error.code !== "INTERNAL";
}
