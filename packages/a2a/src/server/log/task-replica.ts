import { createDeferred, onAbort, Roster } from "../../async/internal.js";
import type { AnySignal, Deferred } from "../../async/internal.js";
import { isSettled, TaskFold } from "../../protocol/internal.js";
import type { A2AError, Task, TaskState, Writable } from "../../protocol/internal.js";
import { weigh } from "../../store/internal.js";
import type { Append, LogEvent, StoredTask, Summary } from "../../store/internal.js";
import { isTaskEvent, toLiveEntry } from "./live-entry.js";
import type { LiveEntry } from "./live-entry.js";
import { RecentEntries } from "./recent-entries.js";
import { publicTaskId } from "./task-identity.js";
import type { TaskIdentity } from "./task-identity.js";
import type { Draft } from "./write.js";

/** The fewest entries that make a checkpoint of a working task worth writing. */
const minTail = 1024;

/**
 * The largest checkpoint. A larger task is read from its log, a page at a time: to write or parse it as a whole would
 * keep everyone else waiting.
 */
const maxCheckpointBytes = 1024 * 1024;

/** The size of a task is written again when it has grown by this much. */
const tellsBytesAfter = 1024 * 1024;

/** A task as of an entry of its log. */
export interface Snapshot {
  readonly task: Task;
  readonly sequence: number;
}

/** Hears of every entry of a task as soon as this node knows it, whichever node wrote it. */
export interface LiveObserver {
  readonly added: (entry: LiveEntry) => void;
  /** A node has claimed the right to write; the node that held it under an earlier epoch has lost it. */
  readonly claimed: (epoch: number) => void;
}

/** What the rest of the server sees of a replica. Only `LiveTask` changes its content. */
export type ReplicaView = Pick<
  TaskReplica,
  | "sequence"
  | "epoch"
  | "state"
  | "bytes"
  | "adopt"
  | "recent"
  | "observe"
  | "changed"
  | "wait"
  | "stopWaiting"
>;

/** Somebody who waits for the log to grow. Is told once. */
export interface Waiter {
  wake(): void;
  /** There is nothing to wait for any more. */
  fail(reason: A2AError): void;
}

/**
 * What this node knows of one task: where its log stands, the task that the log adds up to, the latest entries,
 * and everyone on this node who follows them. It does no IO; `LiveTask` reads and appends to the log and keeps
 * the replica up to date.
 *
 * While an append is pending the fold is ahead of the log: it already contains the events that are being
 * written. Everything else is as of the last commit, and so is all that a replica shows.
 */
export class TaskReplica {
  readonly identity: TaskIdentity;
  /** The fold contains events that may not be in the log, and has to be rebuilt from the store. */
  isDirty = false;
  #sequence = 0;
  #epoch = 1;
  #state: TaskState = "TASK_STATE_UNSPECIFIED";
  #fold: TaskFold | undefined;
  /** The entry up to which the store has a checkpoint of the task. */
  #checkpointAt = 0;
  #bytes: number | undefined;
  /** The size that the store knows. */
  #toldBytes = 0;
  readonly #recent = new RecentEntries<LiveEntry>();
  readonly #observers = new Set<LiveObserver>();
  readonly #waiters = new Roster<Waiter>();
  #snapshots: Deferred<Snapshot>[] = [];
  #closed: A2AError | undefined;

  /** The replica of a task that is not stored yet. */
  constructor(identity: TaskIdentity) {
    this.identity = identity;
  }

  static of(stored: StoredTask, fold: TaskFold): TaskReplica {
    const { taskId, owner, agent, contextId, createdIn, sequence, epoch } = stored.record;
    const publicId = publicTaskId(taskId);
    const replica = new TaskReplica({ taskId, owner, agent, contextId, createdIn, publicId });
    replica.#restore(stored, fold);
    replica.#sequence = sequence;
    replica.#epoch = epoch;
    replica.#recent.startAfter(sequence);
    return replica;
  }

  /** The sequence of the last committed entry. */
  get sequence(): number {
    return this.#sequence;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** The task's state as of the last commit. */
  get state(): TaskState {
    return this.#state;
  }

  /** The task's state with the events that are applied ahead of their commit. */
  get nextState(): TaskState {
    return this.#fold?.status.state ?? this.#state;
  }

  /** Roughly how many bytes the task holds. Computed when first asked for, then kept up to date. */
  get bytes(): number {
    this.#bytes ??= this.#fold === undefined ? 0 : weigh(this.#fold.task());
    return this.#bytes;
  }

  /** The replica has let go of the task, and only follows its log. */
  get isThin(): boolean {
    return this.#fold === undefined && this.#sequence > 0;
  }

  /** Somebody waits for the task as a whole. */
  get isWanted(): boolean {
    return this.#snapshots.length > 0;
  }

  /** Lets go of the task. Who needs it rebuilds it from the store. Call this only while the fold equals the log. */
  slim(): void {
    this.#bytes = this.bytes;
    this.#fold = undefined;
  }

  /** Folds in events ahead of their commit. */
  apply(events: readonly LogEvent[]): void {
    for (const [index, event] of events.entries()) {
      if (!isTaskEvent(event)) continue;
      try {
        if (this.#fold !== undefined) this.#fold.apply(event);
        else if (event.kind === "task-created") this.#fold = new TaskFold(event);
      } catch (error) {
        this.isDirty ||= index > 0;
        throw error;
      }
    }
  }

  /**
   * Assembles one append of several drafts, which are applied already. Runs for every commit, so it goes over the
   * drafts once. `undefined` when there is no task to append to. `notifyAt` is when push notifications of the
   * events are due; without it none are sent.
   */
  assemble(drafts: readonly Draft[], notifyAt: number | undefined): Append | undefined {
    const fold = this.#fold;
    if (fold === undefined) return undefined;
    const { taskId, owner, agent, contextId, createdIn } = this.identity;
    const sequence = this.#sequence;
    const events: LogEvent[] = [];
    let hasStatus = false;
    let bytes = this.#bytes ?? 0;
    const append: Writable<Append> = {
      taskId,
      expectedSequence: sequence,
      epoch: this.#epoch,
      events,
    };
    for (const draft of drafts) {
      for (const event of draft.events) {
        events.push(event);
        hasStatus ||= event.kind === "status-changed" || event.kind === "task-created";
      }
      bytes += draft.bytes ?? 0;
      if (draft.node !== undefined) append.node = draft.node;
      if (draft.messageIds !== undefined) {
        append.messageIds = [...(append.messageIds ?? []), ...draft.messageIds];
      }
      if (draft.idempotency !== undefined) append.idempotency ??= draft.idempotency;
      if (draft.pushConfig !== undefined) append.pushConfig ??= draft.pushConfig;
      if (draft.limits !== undefined) append.limits ??= draft.limits;
    }
    if (sequence === 0) append.create = { owner, agent, contextId, createdIn };
    const { state, timestamp } = fold.status;
    if (hasStatus && timestamp !== undefined) append.status = { state, at: Date.parse(timestamp) };
    // A checkpoint is worth writing when it is much shorter than the entries it replaces. Reading a task then
    // costs what the task weighs, and a stream of chunks that the task still holds is not written twice.
    const tail = sequence + events.length - this.#checkpointAt;
    const isDue = tail >= minTail && tail >= 2 * fold.size;
    if (isDue || (hasStatus && isSettled(state))) {
      const task = fold.task();
      append.bytes = weigh(task);
      if (append.bytes <= maxCheckpointBytes) append.checkpoint = task;
      else append.summary = summaryOf(task);
    } else if (bytes >= this.#toldBytes + tellsBytesAfter) append.bytes = bytes;
    if (notifyAt !== undefined) append.notifyAt = notifyAt;
    return append;
  }

  /** Takes in an append that is committed now. The fold has its events already. */
  commit(append: Append, drafts: readonly Draft[], isShared: boolean): void {
    const { events, checkpoint, summary } = append;
    this.#toldBytes = append.bytes ?? this.#toldBytes;
    for (const draft of drafts) this.#addBytes(draft.events, draft.bytes);
    this.#extend(events, isShared);
    // A summary, too, is not worth writing again before the log has grown.
    if (checkpoint ?? summary) this.#checkpointAt = this.#sequence;
  }

  /** Takes in what other nodes have written, and the epoch that the task has now. */
  catchUp(missing: readonly LogEvent[], epoch: number, isShared: boolean): void {
    this.apply(missing);
    this.#addBytes(missing);
    this.#extend(missing, isShared);
    this.adopt(epoch);
  }

  /** Counts the bytes of events that were applied; `bytes` where the writer has weighed them. */
  #addBytes(events: readonly LogEvent[], bytes?: number): void {
    if (this.#bytes === undefined) return;
    this.#bytes += bytes ?? events.reduce((sum, event) => sum + weigh(event), 0);
  }

  /** Adds the next committed events of the log and tells everyone who follows. The fold has them already. */
  #extend(events: readonly LogEvent[], isShared: boolean): void {
    for (const event of events) {
      this.#sequence += 1;
      if (event.kind === "status-changed" || event.kind === "task-created") {
        this.#state = event.status.state;
      }
      const entry = toLiveEntry(event, this.#sequence, this.identity, isShared);
      this.#recent.push(entry);
      for (const { added } of this.#observers) added(entry);
    }
    if (events.length === 0) return;
    for (const waiter of this.#waiters.takeAll()) waiter.wake();
  }

  /** Replaces the fold by what is stored. `missing` are the stored events that the replica does not have yet. */
  rebuild(
    stored: StoredTask,
    {
      fold,
      missing,
      isShared,
    }: {
      readonly fold: TaskFold;
      readonly missing: readonly LogEvent[];
      readonly isShared: boolean;
    },
  ): void {
    this.#restore(stored, fold);
    this.#bytes = undefined;
    this.isDirty = false;
    this.#extend(missing, isShared);
    this.adopt(stored.record.epoch);
  }

  /** Takes note that the right to write has been claimed under a higher epoch. */
  adopt(epoch: number): void {
    if (epoch <= this.#epoch) return;
    this.#epoch = epoch;
    for (const { claimed } of this.#observers) claimed(epoch);
  }

  /** Entries after a sequence, at most `limit`; `undefined` when some of them are no longer in memory. */
  recent(sequence: number, limit: number): readonly LiveEntry[] | undefined {
    return this.#recent.after(sequence, limit);
  }

  /** Tells an observer of every entry after a sequence: at once of those in memory, then of each new one. */
  observe(after: number, observer: LiveObserver): () => void {
    for (const entry of this.#recent.after(after) ?? []) observer.added(entry);
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** Resolves when the log is longer than `sequence`, or when the signal is aborted. */
  changed(sequence: number, signal?: AnySignal): Promise<void> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    if (this.#sequence > sequence || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const place = this.#waiters.add({
        wake() {
          stopListening?.();
          resolve();
        },
        fail(reason) {
          stopListening?.();
          reject(reason);
        },
      });
      const stopListening =
        signal &&
        onAbort(signal, () => {
          this.#waiters.remove(place);
          stopListening?.();
          resolve();
        });
    });
  }

  /** Tells a waiter when the log grows, and returns its place until then; none after `close`, which it tells at once. */
  wait(waiter: Waiter): number | undefined {
    if (this.#closed === undefined) return this.#waiters.add(waiter);
    waiter.fail(this.#closed);
    return undefined;
  }

  stopWaiting(place: number): void {
    this.#waiters.remove(place);
  }

  /** Rejects everyone who waits in `changed`, now and later. */
  close(reason: A2AError): void {
    this.#closed = reason;
    for (const waiter of this.#waiters.takeAll()) waiter.fail(reason);
  }

  /** The task at the next moment when the fold equals the log. */
  requestSnapshot(): Promise<Snapshot> {
    const snapshot = createDeferred<Snapshot>();
    this.#snapshots.push(snapshot);
    return snapshot.promise;
  }

  /** Call this only while the fold equals the log. */
  takeSnapshots(): void {
    if (this.#snapshots.length === 0 || this.#fold === undefined) return;
    const snapshot = { task: this.#fold.task(), sequence: this.#sequence };
    for (const { resolve } of this.#snapshots) resolve(snapshot);
    this.#snapshots = [];
  }

  rejectSnapshots(reason: unknown): void {
    for (const { reject } of this.#snapshots) reject(reason);
    this.#snapshots = [];
  }

  /** Takes over the fold of a stored task. Leaves the sequence as it is: followers hear of new entries by `#extend`. */
  #restore({ checkpoint, record }: StoredTask, fold: TaskFold): void {
    this.#fold = fold;
    this.#checkpointAt = checkpoint?.sequence ?? 0;
    this.#toldBytes = record.bytes;
    this.#state = record.state;
  }
}

/** A large task without its artifacts, and without its history where that is large, too. */
function summaryOf(whole: Task): Summary {
  const { artifacts: _, ...task } = whole;
  if (weigh(task) <= maxCheckpointBytes) return { task, omits: ["artifacts"] };
  const { history: __, ...rest } = task;
  return { task: rest, omits: ["artifacts", "history"] };
}
