import { afterMicrotasks, createDeferred, nextTurn } from "../../async/internal.js";
import type { Clock, Deferred } from "../../async/internal.js";
import type { Bus } from "../../bus/internal.js";
import { A2AError } from "../../protocol/internal.js";
import type { TraceContext } from "../../protocol/internal.js";
import type { Append, Store } from "../../store/internal.js";
import { effectOf, takeBatch } from "./batch.js";
import type { Batch } from "./batch.js";
import type { CommitSpans } from "./commit-spans.js";
import { furthest } from "./follower.js";
import type { Follower, Reach } from "./follower.js";
import { foldStored, largeBytes } from "./fold-stored.js";
import { toLiveEntry } from "./live-entry.js";
import type { LiveEntry } from "./live-entry.js";
import { LogWentBack } from "./log-went-back.js";
import type { Meters } from "../meters.js";
import type { Notifier } from "./notifier.js";
import { pageSize, readHead, readMissing, readStored } from "./read-log.js";
import { TaskGone } from "./task-gone.js";
import type { TaskHolder } from "./task-holder.js";
import type { TaskIdentity } from "./task-identity.js";
import { TaskReplica } from "./task-replica.js";
import type { ReplicaView, Snapshot } from "./task-replica.js";
import { headOf, isConflict } from "./write.js";
import type { Build, Committed, Write, WriteOptions } from "./write.js";

/** Where live tasks are stored and announced. */
export interface Engines {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly notifier: Notifier | undefined;
  /** Absent where nobody traces. */
  readonly commits?: CommitSpans | undefined;
  /** Absent where nobody counts. */
  readonly meters?: Meters | undefined;
  /** The store has lost entries of a task that this node knows, or all of it: what is in memory is void. */
  readonly wentBack: (live: LiveTask, reason: Loss) => void;
  /** Whether wake-ups of all nodes reach somebody, as far as this one knows. */
  readonly areAllHeard: () => boolean;
}

/** Why nothing that this node knows of a task can be relied upon. */
export type Loss = LogWentBack | TaskGone;

function isLoss(error: unknown): error is Loss {
  return error instanceof LogWentBack || error instanceof TaskGone;
}

/** After this many committed events, a task lets the event loop serve everyone else, however fast the store is. */
const eventsPerTurn = 16;

/** For so many turns of the event loop outputs gather that come right after a commit. */
const turnsToGather = 3;

/** How often in a row other nodes may come first before this node's writes fail. */
const maxConflicts = 100;

/**
 * A task that this node writes or watches. Everything that changes its replica goes through one
 * pump, one step at a time: appends of this node's writes, in the order of the queue, and reads of what other
 * nodes have written. Writes that arrive during an append share the next one. Nothing is shown before it is
 * committed. Everyone who follows the task reads the replica.
 */
export class LiveTask {
  readonly identity: TaskIdentity;
  /** What this node knows of the task. */
  readonly replica: ReplicaView;
  /** How many streams of this task are open on this node. */
  watchers = 0;
  /** The run that works on the task on this node. */
  holder: TaskHolder | undefined;
  /** The span of that run, if somebody will see it. */
  trace: TraceContext | undefined;
  readonly #engines: Engines;
  readonly #replica: TaskReplica;
  readonly #queue: Write[] = [];
  #followers: Follower[] = [];
  #taking: Deferred<void> | undefined;
  #isPumping = false;
  /** Outputs gather, although the store has nothing of this task to do. */
  #isGathering = false;
  /** Events committed since the event loop last served everyone else. */
  #eventsInTurn = 0;
  /** This node has appended since the last poll. */
  #hasCommitted = false;
  /** How often in a row other nodes came first. */
  #conflicts = 0;
  #void: Loss | undefined;

  private constructor(engines: Engines, replica: TaskReplica) {
    this.#engines = engines;
    this.#replica = replica;
    this.replica = replica;
    this.identity = replica.identity;
  }

  /** A task that is not stored yet. Its first write creates it. */
  static create(engines: Engines, identity: TaskIdentity): LiveTask {
    return new LiveTask(engines, new TaskReplica(identity));
  }

  /** A stored task; `undefined` when there is none. */
  static async load(engines: Engines, taskId: string): Promise<LiveTask | undefined> {
    const stored = await engines.store.load(taskId, largeBytes);
    if (stored === undefined) return undefined;
    const fold = await foldStored(engines, stored);
    return new LiveTask(engines, TaskReplica.of(stored, fold));
  }

  /** True while something of this node is on its way to the store. */
  get isWriting(): boolean {
    return this.#isPumping || this.#queue.length > 0;
  }

  /** How many writes wait for their turn. */
  get backlog(): number {
    return this.#queue.length;
  }

  /** Entries after a sequence from memory or the store, at most `limit`. */
  async read(sequence: number, limit: number): Promise<readonly LiveEntry[]> {
    const recent = this.#replica.recent(sequence, limit);
    if (recent !== undefined) return recent;
    const { taskId } = this.identity;
    const entries = await this.#engines.store.read(taskId, sequence, limit, largeBytes);
    if (entries.length === 0) {
      await this.refresh();
      throw new TaskGone(taskId);
    }
    // The store may be ahead of this node; every watcher here sees the same entries at the same time.
    return entries
      .filter((entry) => entry.sequence <= this.#replica.sequence)
      .map(({ event, sequence }) => toLiveEntry(event, sequence, this.identity, false));
  }

  /** All entries after a sequence, up to the last one that this node knows when it comes there. */
  async *entriesAfter(sequence: number): AsyncGenerator<LiveEntry, void, void> {
    let last = sequence;
    while (last < this.#replica.sequence) {
      for (const entry of await this.read(last, pageSize)) {
        last = entry.sequence;
        yield entry;
      }
    }
  }

  /** The task as of the last commit. */
  snapshot(): Promise<Snapshot> {
    const snapshot = this.#replica.requestSnapshot();
    if (this.#replica.isDirty || this.#replica.isThin) void this.#pump();
    else if (!this.#isPumping) this.#replica.takeSnapshots();
    return snapshot;
  }

  /** Lets go of a large task that nobody writes: watchers need only its log. The next writer or reader loads it again. */
  slim(): void {
    const isAtRest = !this.#isPumping && this.#queue.length === 0 && this.holder === undefined;
    const { isDirty, isWanted, bytes } = this.#replica;
    if (isAtRest && !isDirty && !isWanted && bytes > largeBytes) this.#replica.slim();
  }

  /** Rejects everyone who waits for the task to change. */
  close(reason: A2AError): void {
    this.#replica.close(reason);
  }

  /** Queues a write. Resolves when it is committed. */
  write(build: Build, options: WriteOptions = {}): Promise<Committed> {
    return new Promise((resolve, reject) => {
      const { alone, isRefusable, epoch } = options;
      this.#queue.push({ build, alone, isRefusable, epoch, resolve, reject });
      void this.#pump();
    });
  }

  /** Queues a write without creating a promise for it. What its writer adds before it has to wait shares its append. */
  enqueue(write: Write): void {
    if (this.#queue.push(write) === 1 && !this.#isGathering)
      afterMicrotasks(() => void this.#pump());
  }

  /**
   * Resolves when the writes in the queue go into an append. A writer that is ahead of the store waits for this
   * and not for the commit, so that its next writes are ready when the store is.
   */
  async taken(): Promise<void> {
    if (this.#queue.length === 0) return;
    this.#taking ??= createDeferred();
    await this.#taking.promise;
  }

  /** Reads what other nodes have written, if they have: most wake-ups are of this node's own appends. */
  readonly wake = (sequence: number): void => {
    const { sequence: known, epoch } = this.#replica;
    if (sequence <= known) return;
    // A run has to learn when its task is claimed; others need only the entries.
    const upTo = this.holder === undefined ? { sequence, epoch } : undefined;
    // What cannot be read now is read by the next poll.
    this.#follow(upTo, "wake").catch(() => undefined);
  };

  /** Reads what other nodes have written. Only this node writes to a task that is not stored yet. */
  async refresh(): Promise<void> {
    if (this.#replica.sequence > 0) await this.#follow();
  }

  /** Reads on at least to where the log is known to go. */
  async reach(upTo: Reach): Promise<void> {
    if (upTo.sequence > this.#replica.sequence) await this.#follow(upTo);
    else this.#replica.adopt(upTo.epoch);
  }

  #follow(upTo?: Reach, cause?: Follower["cause"]): Promise<void> {
    const follower = { ...createDeferred<void>(), upTo, cause };
    this.#followers.push(follower);
    void this.#pump();
    return follower.promise;
  }

  /**
   * Reads what other nodes have written, in case a wake-up was lost. Skipped when this node has appended since
   * the last poll: its append would have met theirs.
   */
  async poll(): Promise<void> {
    const isUpToDate = this.#hasCommitted;
    this.#hasCommitted = false;
    if (!isUpToDate) await this.look();
  }

  /** Reads what other nodes have written although no wake-up has told of it. */
  look(): Promise<void> {
    return this.#follow(undefined, "poll");
  }

  /** Resolves in the next turn of the event loop. */
  nextTurn(): Promise<void> {
    return nextTurn(this.#engines.clock);
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    const replica = this.#replica;
    try {
      if (this.#void !== undefined) throw this.#void;
      while (this.#isBehind || this.#followers.length > 0 || this.#queue.length > 0) {
        if (this.#isBehind) await this.#rebuild();
        else if (this.#followers.length > 0) await this.#catchUp();
        else if (this.#eventsInTurn >= eventsPerTurn) await this.#yieldTurn();
        else await this.#commitBatch();
        if (!replica.isDirty) replica.takeSnapshots();
      }
    } catch (error) {
      this.#noteLoss(error);
      // The store does not answer. Fails everyone who waits; the next call starts over.
      const waiting = [...this.#queue.splice(0), ...this.#followers.splice(0)];
      for (const waiter of waiting) waiter.reject(error);
      replica.rejectSnapshots(error);
      this.#announceTaken();
    } finally {
      this.#isPumping = false;
    }
  }

  /** A store that is fast gets the outputs of a fast stream in few appends, as a slow one does. */
  async #gather(): Promise<void> {
    this.#isGathering = true;
    for (let turn = 0; turn < turnsToGather; turn += 1) await this.nextTurn();
    this.#isGathering = false;
    if (this.#queue.length > 0) void this.#pump();
  }

  /** Somebody needs the task, and the replica does not have it, or not as it is in the log. */
  get #isBehind(): boolean {
    const { isDirty, isThin, isWanted } = this.#replica;
    return isDirty || (isThin && (isWanted || this.#queue.length > 0));
  }

  /** Lets the event loop serve everyone else. */
  async #yieldTurn(): Promise<void> {
    this.#eventsInTurn -= eventsPerTurn;
    await this.nextTurn();
  }

  async #commitBatch(): Promise<void> {
    const batch = takeBatch(this.#queue, this.#replica);
    const { writes, drafts } = batch;
    this.#announceTaken();
    const replica = this.#replica;
    if (writes.length === 0) return;
    const { store, bus, notifier, commits } = this.#engines;
    const { trace } = this;
    let append: Append | undefined;
    for (;;) {
      append = replica.assemble(drafts, notifier?.now());
      if (append === undefined) return;
      const committed = trace && commits?.begin(trace);
      try {
        const { queued } = await store.append(append);
        committed?.();
        if (queued > 0) notifier?.wake(trace && { taskId: append.taskId, trace, queued });
        break;
      } catch (error) {
        committed?.(error);
        if (!(await this.#recover(batch, append, error))) return;
      }
    }
    this.#conflicts = 0;
    this.#hasCommitted = true;
    replica.commit(append, drafts, this.watchers > 1);
    const { sequence } = replica;
    bus.publish(append.taskId, sequence);
    const committed = { sequence, epoch: append.epoch };
    for (const write of writes) write.resolve(committed);
    this.#eventsInTurn += append.events.length;
    if (!this.#isGathering && writes.at(-1)?.isOutput === true) void this.#gather();
  }

  #announceTaken(): void {
    this.#taking?.resolve();
    this.#taking = undefined;
  }

  /**
   * Handles an append that failed. After a conflict the writes are queued again; after any other failure they fail,
   * because the store may have committed them. True when the same append can be tried at the new end of the log.
   */
  async #recover(batch: Batch, append: Append, error: unknown): Promise<boolean> {
    const { writes } = batch;
    const rejectAll = (reason: unknown): boolean => {
      for (const write of writes) write.reject(reason);
      return false;
    };
    const replica = this.#replica;
    const { expectedSequence: expected = 0, epoch } = append;
    // A task that could not be created is not in the store, so there is nothing to rebuild from.
    const isNew = expected === 0;
    // The fold is ahead of the log, and is rebuilt before anything else.
    replica.isDirty = !isNew;
    if (isNew) this.close(notStored(this.identity.publicId));
    if (isNew || !isConflict(error)) return rejectAll(error);
    this.#conflicts += 1;
    if (this.#conflicts > maxConflicts) return rejectAll(crowded(this.identity.publicId));
    const head = headOf(error);
    try {
      if (head !== undefined && (head.sequence < expected || head.epoch < epoch)) {
        throw new LogWentBack(this.identity.publicId);
      }
      const isSameHolder = head?.epoch === epoch && head.sequence > expected;
      const effect = isSameHolder ? effectOf(batch) : "changes";
      if (head !== undefined && effect !== "changes") {
        const missing = await readMissing(this.#engines.store, replica, head.sequence);
        replica.catchUp(missing, epoch, this.watchers > 1);
        replica.isDirty = false;
        if (effect === "none") this.#queue.unshift(...writes);
        return effect === "adds";
      }
      await this.#rebuild();
    } catch (failure) {
      replica.isDirty = true;
      this.#noteLoss(failure);
      rejectAll(failure);
      throw failure;
    }
    // The log is as the append expected it, so the conflict is in what the writes bring along: a retry is in vain.
    const isUnchanged = replica.sequence === expected && replica.epoch === epoch;
    if (isUnchanged) return rejectAll(error);
    this.#queue.unshift(...writes);
    return false;
  }

  /** Adds what other nodes have written. */
  async #catchUp(): Promise<void> {
    const followers = this.#followers.splice(0);
    const replica = this.#replica;
    const { store } = this.#engines;
    try {
      const { sequence, epoch } = furthest(followers) ?? (await readHead(store, replica));
      const missing = await readMissing(store, replica, sequence, (first) =>
        this.#countFound(followers, sequence - replica.sequence, first.at),
      );
      replica.catchUp(missing, epoch, this.watchers > 1);
      for (const { resolve } of followers) resolve();
    } catch (error) {
      this.#noteLoss(error);
      for (const { reject } of followers) reject(error);
      if (isLoss(error)) throw error;
    }
  }

  /** Counts what was found, by whoever told of it. */
  #countFound(followers: readonly Follower[], found: number, at: number): void {
    const { meters, clock } = this.#engines;
    if (meters === undefined) return;
    if (followers.some(({ cause }) => cause === "wake")) meters.woken(clock.now() - at);
    else if (followers.some(({ cause }) => cause === "poll")) meters.pollFound(found);
  }

  /**
   * After a loss of the store nothing that this node knows of the task can be relied upon: everyone who works with it
   * begins anew. The run learns it before its writes fail, so that it is reported once.
   */
  #noteLoss(reason: unknown): void {
    if (!isLoss(reason) || this.#void !== undefined) return;
    this.#void = reason;
    this.close(reason);
    this.holder?.lose(reason);
    this.#engines.wentBack(this, reason);
  }

  /** Makes the replica anew from what is stored. */
  async #rebuild(): Promise<void> {
    const replica = this.#replica;
    const { store } = this.#engines;
    const stored = await readStored(store, replica);
    const fold = await foldStored(this.#engines, stored);
    const missing = await readMissing(store, replica, stored.record.sequence);
    replica.rebuild(stored, { fold, missing, isShared: this.watchers > 1 });
  }
}

function notStored(publicId: string): A2AError {
  return new A2AError("UNAVAILABLE", `task ${publicId} could not be stored; try again`);
}

function crowded(publicId: string): A2AError {
  const message = `other nodes keep writing to task ${publicId}; try again`;
  return new A2AError("UNAVAILABLE", message, { details: { retryAfterSeconds: 1 } });
}
