import { A2AError, isSettled, TaskFold, toStreamResponse } from "../protocol/index.js";
import type { StreamResponse, Task, TaskEvent, TaskState } from "../protocol/index.js";
import type { Append, LogEntry, LogEvent, NewTask, Store, StoredTask } from "../store/index.js";
import type { Bus } from "../bus/index.js";
import { createDeferred } from "./deferred.js";
import type { Deferred } from "./deferred.js";
import { RecentEntries } from "./recent-entries.js";
import { publicTaskId } from "./task-key.js";

/** An entry of a log and what streams show of it. */
export interface LiveEntry extends LogEntry {
  readonly response?: StreamResponse;
}

/** What a writer adds to a task. */
export interface Draft extends Pick<Append, "node" | "messageIds" | "idempotency"> {
  readonly events: readonly LogEvent[];
}

/** Decides what to write when its turn has come; `undefined` writes nothing. */
type Build = (state: TaskState) => Draft | undefined;

interface Write {
  readonly build: Build;
  /** Shares its commit with no other write, and is decided once all before it are committed. */
  readonly alone: boolean;
  readonly epoch: number | undefined;
  readonly done: Deferred<number>;
}

/** Hears of what happens to a task. */
interface Observer {
  /** For every entry that is committed, in order. */
  entry(entry: LiveEntry): void;
  /** The right to write has changed hands. */
  epoch(): void;
}

interface Snapshot {
  readonly task: Task;
  readonly sequence: number;
}

interface Origin extends NewTask {
  readonly taskId: string;
  /** The id callers see; another than the store's where a 0.1 client chose it. */
  readonly publicId: string;
}

/** The most events in one append; a writer that is ahead of the disk shares commits. */
const maxBatchEvents = 256;
/** The first checkpoint of a long log; the next ones come each time the log has doubled. */
const firstCheckpointAt = 1024;

/**
 * A task that somebody on this node writes or watches: its fold, its latest entries, and the one queue
 * through which this node writes to it. What is not committed is never shown.
 */
export class LiveTask {
  readonly origin: Origin;
  readonly #store: Store;
  readonly #bus: Bus;
  readonly #recent = new RecentEntries<LiveEntry>();
  readonly #queue: Write[] = [];
  readonly #observers = new Set<Observer>();
  readonly #waiters = new Set<() => void>();
  #snapshots: Deferred<Snapshot>[] = [];
  #refreshes: Deferred<void>[] = [];
  #fold: TaskFold | undefined;
  #sequence = 0;
  #epoch: number;
  #checkpointAt = 0;
  #isPumping = false;
  /** The fold is ahead of the log. */
  #isDirty = false;
  #isHeld = false;

  /** A task that is not stored yet. Its first write creates it. */
  constructor(engines: { readonly store: Store; readonly bus: Bus }, origin: Origin) {
    this.#store = engines.store;
    this.#bus = engines.bus;
    this.origin = origin;
    this.#epoch = 1;
  }

  static of(engines: { readonly store: Store; readonly bus: Bus }, stored: StoredTask): LiveTask {
    const { taskId, owner, agent, contextId, origin } = stored.record;
    const publicId = publicTaskId(taskId);
    const live = new LiveTask(engines, { taskId, owner, agent, contextId, origin, publicId });
    live.#epoch = stored.record.epoch;
    live.#restore(stored);
    return live;
  }

  /** The last committed entry. */
  get sequence(): number {
    return this.#sequence;
  }

  get epoch(): number {
    return this.#epoch;
  }

  get state(): TaskState {
    return this.#fold?.status.state ?? "TASK_STATE_UNSPECIFIED";
  }

  /** How many writes wait for their commit. */
  get backlog(): number {
    return this.#queue.length;
  }

  /** A run of this node works on the task. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** A run of this node begins to work on the task, or no longer does. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
  }

  /** The right to write has been claimed anew; whoever had it under the epoch before has lost it. */
  adopt(epoch: number): void {
    // What was read before a claim may arrive after it; epochs never fall.
    if (epoch <= this.#epoch) return;
    this.#epoch = epoch;
    for (const observer of this.#observers) observer.epoch();
  }

  /**
   * Writes once its turn has come. Resolves with the log's sequence when it is committed. A run names
   * the epoch it works under, and is refused with `CONCURRENT_MODIFICATION` once that has passed.
   */
  write(
    build: Build,
    { alone = false, epoch }: { readonly alone?: boolean; readonly epoch?: number } = {},
  ): Promise<number> {
    const done = createDeferred<number>();
    this.#queue.push({ build, alone, epoch, done });
    void this.#pump();
    return done.promise;
  }

  /** Takes in all that other nodes have written until this call. */
  refresh(): Promise<void> {
    const done = createDeferred<void>();
    this.#refreshes.push(done);
    void this.#pump();
    return done.promise;
  }

  /** The task as of the last commit. */
  snapshot(): Promise<Snapshot> {
    const done = createDeferred<Snapshot>();
    this.#snapshots.push(done);
    // While a commit is under way the fold is ahead of it. At the boundary the two agree.
    if (!this.#isPumping) this.#giveSnapshots();
    return done.promise;
  }

  /** Committed entries after a sequence, or `undefined` when they are only in the store. */
  entriesAfter(sequence: number): readonly LiveEntry[] | undefined {
    return this.#recent.after(sequence);
  }

  /** Entries after a sequence from memory or store, at most `limit` of them. */
  async read(sequence: number, limit: number): Promise<readonly LiveEntry[]> {
    const recent = this.#recent.after(sequence);
    if (recent !== undefined) return recent.slice(0, limit);
    const entries = await this.#store.read(this.origin.taskId, sequence, limit);
    return entries.map((entry) => this.#show(entry));
  }

  /** Tells of what happens from now on, until the returned function is called. */
  observe(observer: Observer): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** Resolves when the log has grown beyond a sequence, or when the signal is aborted. */
  changed(beyond: number, signal?: AbortSignal): Promise<void> {
    if (this.#sequence > beyond || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiters.delete(wake);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      signal?.addEventListener("abort", wake, { once: true });
      this.#waiters.add(wake);
    });
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      while (this.#queue.length > 0 || this.#refreshes.length > 0 || this.#isDirty) {
        if (this.#isDirty) await this.#rebuild();
        else if (this.#refreshes.length > 0) await this.#follow();
        else await this.#commitBatch();
        this.#giveSnapshots();
      }
    } catch (error) {
      this.#rejectAll(error);
    } finally {
      this.#isPumping = false;
    }
  }

  async #commitBatch(): Promise<void> {
    const batch = this.#takeBatch();
    if (batch.drafts.length === 0) return;
    const append = this.#assemble(batch.drafts.map(({ draft }) => draft));
    try {
      await this.#store.append(append);
    } catch (error) {
      await this.#recover(batch.drafts, error);
      return;
    }
    if (append.checkpoint !== undefined) this.#checkpointAt = this.#sequence + append.events.length;
    this.#publish(append.events);
    for (const { write } of batch.drafts) write.done.resolve(this.#sequence);
  }

  /** Decides the next writes and folds them in, ahead of their commit. */
  #takeBatch(): { readonly drafts: { readonly write: Write; readonly draft: Draft }[] } {
    const drafts: { write: Write; draft: Draft }[] = [];
    let events = 0;
    while (this.#queue.length > 0 && events < maxBatchEvents) {
      const [write] = this.#queue;
      if (write === undefined || (write.alone && drafts.length > 0)) break;
      this.#queue.shift();
      try {
        if ((write.epoch ?? this.#epoch) !== this.#epoch) throw this.#fencedError();
        const draft = write.build(this.state);
        if (draft === undefined) write.done.resolve(this.#sequence);
        else {
          this.#apply(draft.events);
          drafts.push({ write, draft });
          events += draft.events.length;
        }
      } catch (error) {
        write.done.reject(error);
      }
      if (write.alone) break;
    }
    return { drafts };
  }

  #assemble(drafts: readonly Draft[]): Append {
    const { taskId } = this.origin;
    const events = drafts.flatMap((draft) => draft.events);
    const lease = drafts.findLast((draft) => draft.node !== undefined);
    const idempotency = drafts.find((draft) => draft.idempotency !== undefined)?.idempotency;
    const messageIds = drafts.flatMap((draft) => draft.messageIds ?? []);
    const status = this.#fold?.status;
    const hasStatus = events.some(
      ({ kind }) => kind === "status-changed" || kind === "task-created",
    );
    const after = this.#sequence + events.length;
    const isDue = after - this.#checkpointAt >= Math.max(firstCheckpointAt, this.#checkpointAt);
    const isResting = hasStatus && isSettled(this.state);
    return {
      taskId,
      expectedSequence: this.#sequence,
      epoch: this.#epoch,
      events,
      ...(this.#sequence === 0 && { create: newTask(this.origin) }),
      ...(hasStatus &&
        status?.timestamp !== undefined && {
          status: { state: status.state, at: Date.parse(status.timestamp) },
        }),
      ...(lease?.node !== undefined && { node: lease.node }),
      ...((isDue || isResting) && this.#fold !== undefined && { checkpoint: this.#fold.task() }),
      ...(messageIds.length > 0 && { messageIds }),
      ...(idempotency !== undefined && { idempotency }),
    };
  }

  /** After a refused or failed append the fold is ahead of the log: know the truth before going on. */
  async #recover(drafts: readonly { readonly write: Write }[], error: unknown): Promise<void> {
    const isConflict = A2AError.is(error) && error.code === "CONCURRENT_MODIFICATION";
    const writes = drafts.map(({ write }) => write);
    this.#isDirty = this.#sequence > 0;
    if (isConflict && this.#isDirty) {
      this.#queue.unshift(...writes);
      await this.#rebuild();
    } else {
      for (const write of writes) write.done.reject(error);
    }
  }

  /** Folds in what others have added. */
  async #follow(): Promise<void> {
    const asked = this.#refreshes.length;
    try {
      const record = await this.#store.loadRecord(this.origin.taskId);
      if (record === undefined) throw this.#fencedError();
      const missing = await this.#readBetween(this.#sequence, record.sequence);
      this.#apply(missing.map(({ event }) => event));
      this.#takeIn(missing, { epoch: record.epoch, asked });
    } catch (error) {
      // Writes wait for their own answer: what could not be read now may well be written.
      for (const done of this.#refreshes.splice(0, asked)) done.reject(error);
    }
  }

  /** Starts over from what is stored. */
  async #rebuild(): Promise<void> {
    const asked = this.#refreshes.length;
    const stored = await this.#store.load(this.origin.taskId);
    if (stored === undefined) throw this.#fencedError();
    const { record } = stored;
    const missing = await this.#readBetween(this.#sequence, record.sequence);
    this.#restore(stored);
    this.#isDirty = false;
    this.#takeIn(missing, { epoch: record.epoch, asked });
  }

  /** `asked` is how many refreshes were waiting before the store was read; later ones read again. */
  #takeIn(
    missing: readonly LogEntry[],
    { epoch, asked }: { readonly epoch: number; readonly asked: number },
  ): void {
    for (const entry of missing) {
      this.#sequence = entry.sequence;
      this.#recordEntry(this.#show(entry));
    }
    if (missing.length > 0) this.#notify();
    this.adopt(epoch);
    for (const done of this.#refreshes.splice(0, asked)) done.resolve();
  }

  async #readBetween(after: number, upTo: number): Promise<readonly LogEntry[]> {
    const entries: LogEntry[] = [];
    while (after < upTo) {
      const page = await this.#store.read(this.origin.taskId, after, 1000);
      const last = page.at(-1);
      if (last === undefined) break;
      entries.push(...page.filter(({ sequence }) => sequence <= upTo));
      after = last.sequence;
    }
    return entries;
  }

  #restore(stored: StoredTask): void {
    const { checkpoint, tail, record } = stored;
    this.#fold = checkpoint === undefined ? undefined : new TaskFold(checkpoint.task);
    this.#apply(tail.map(({ event }) => event));
    this.#sequence = record.sequence;
    this.#checkpointAt = checkpoint?.sequence ?? 0;
    if (this.#recent.isEmpty) this.#recent.startAfter(record.sequence);
  }

  #apply(events: readonly LogEvent[]): void {
    for (const event of events) {
      if (!isTaskEvent(event)) continue;
      if (this.#fold !== undefined) this.#fold.apply(event);
      else if (event.kind === "task-created") this.#fold = new TaskFold(event);
    }
  }

  #publish(events: readonly LogEvent[]): void {
    for (const event of events) {
      this.#sequence += 1;
      this.#recordEntry(this.#show({ sequence: this.#sequence, event }));
    }
    this.#notify();
    this.#bus.publish(this.origin.taskId, this.#sequence);
  }

  #recordEntry(entry: LiveEntry): void {
    this.#recent.push(entry);
    for (const observer of this.#observers) observer.entry(entry);
  }

  #show(entry: LogEntry): LiveEntry {
    const { event } = entry;
    if (!isTaskEvent(event)) return entry;
    const { position: _, ...shown } = event;
    const task = { id: this.origin.publicId, contextId: this.origin.contextId };
    const response = toStreamResponse(shown as TaskEvent, task);
    return response === undefined ? entry : { ...entry, response };
  }

  #notify(): void {
    for (const wake of Array.from(this.#waiters)) wake();
  }

  /** One snapshot for all who wait for one. */
  #giveSnapshots(): void {
    if (this.#snapshots.length === 0) return;
    if (this.#isDirty) return void this.#pump();
    const waiting = this.#snapshots.splice(0);
    if (this.#fold === undefined || this.#sequence === 0) {
      const error = new A2AError("INTERNAL", "the task is not stored yet");
      for (const done of waiting) done.reject(error);
      return;
    }
    const snapshot = { task: this.#fold.task(), sequence: this.#sequence };
    for (const done of waiting) done.resolve(snapshot);
  }

  #rejectAll(error: unknown): void {
    const writes = this.#queue.splice(0).map(({ done }) => done);
    for (const done of [...writes, ...this.#refreshes.splice(0), ...this.#snapshots.splice(0)]) {
      done.reject(error);
    }
  }

  #fencedError(): A2AError {
    const message = `task ${this.origin.publicId} is in other hands now`;
    return new A2AError("CONCURRENT_MODIFICATION", message);
  }
}

function newTask({ owner, agent, contextId, origin }: NewTask): NewTask {
  return { owner, agent, contextId, origin };
}

const taskEventKinds: ReadonlySet<string> = new Set<TaskEvent["kind"]>([
  "task-created",
  "message-added",
  "status-changed",
  "artifact-updated",
]);

/** True for events of the task itself, false for the private ones of its runs. */
export function isTaskEvent(event: LogEvent): event is TaskEvent & { readonly position?: number } {
  return taskEventKinds.has(event.kind);
}
