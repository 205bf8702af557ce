import { atTurnsEnd, createDeferred, neverSettles } from "../../async/internal.js";
import type { Deferred } from "../../async/internal.js";
import { A2AError } from "../../protocol/internal.js";
import type { JsonValue } from "../../protocol/internal.js";
import type { LogEvent } from "../../store/internal.js";
import { maxBatchEvents } from "../log/batch.js";
import type { LiveEntry } from "../log/live-entry.js";
import type { LiveTask } from "../log/live-task.js";
import type { LiveHandle } from "../log/live-tasks.js";
import type { TaskHolder } from "../log/task-holder.js";
import type { TaskIdentity } from "../log/task-identity.js";
import { isRefused } from "../log/write.js";
import type { Build, Committed, Draft } from "../log/write.js";
import type { RunEnvironment } from "../run-environment.js";
import { entriesOfBirth, firstDraft } from "./birth.js";
import type { Birth } from "./birth.js";
import { OutputWrite, refuseWrite } from "./output-write.js";
import type { OutputOwner } from "./output-write.js";

/** How many outputs may wait in the queue before the handler has to wait: a full append. */
const maxBacklog = maxBatchEvents;
/** How many bytes of outputs may be ahead of their commit before the handler has to wait. */
const maxBytesAhead = 1024 * 1024;

/** A task that this node may write to under an epoch. */
export interface Held {
  readonly handle: LiveHandle;
  readonly epoch: number;
}

/** Hears what happens to the task of a writer. */
export interface TaskObserver {
  /** The task is about to be stored. A task that was stored before the run does not tell it again, nor `born`. */
  readonly planned: () => void;
  /** The task is stored now. */
  readonly born: () => void;
  /** The handler can stop here until the run has a slot for its task: returns a promise if it has to. */
  readonly pause: () => Promise<void> | undefined;
  /** The log has an entry that the run does not know yet, whichever node wrote it. */
  readonly entry: (entry: LiveEntry) => void;
  /**
   * The writer can write nothing more. `isDropped` when the store failed and the task is still under this node's
   * lease; otherwise another node has the task, or it has ended, or it was never created.
   */
  readonly lost: (reason: unknown, isDropped: boolean) => void;
  /** What records that the run takes up an answer, see `TaskHolder`. */
  readonly takesUp: (credentials?: JsonValue) => LogEvent;
}

type WriterEnvironment = Pick<RunEnvironment, "clock" | "liveTasks" | "node" | "orphans">;

/**
 * Writes what one run does to the log of its task, under one epoch. The first write of an unborn task creates it,
 * in the same append. Outputs may be ahead of the log, within bounds.
 *
 * Once the run is over, promises of this class stay pending for ever, except where a method says otherwise.
 */
export class TaskWriter implements TaskHolder, OutputOwner {
  readonly identity: TaskIdentity;
  /** The handler works, so a task that is created from now on begins as WORKING. */
  isWorking = false;
  readonly #environment: WriterEnvironment;
  #birth: Birth | undefined;
  #held: Held | undefined;
  /** The epoch of a task that is at rest. */
  #restingEpoch: number | undefined;
  #waking: Promise<LiveTask | undefined> | undefined;
  /** The last log entry that the run knows. */
  #lastSequence = 0;
  #observer: TaskObserver = nobody;
  #stopObserving: (() => void) | undefined;
  /** Outputs that will be stored together with the task. */
  readonly #firstOutputs: LogEvent[] = [];
  #creating: Promise<LiveTask> | undefined;
  /** The last output that went into the queue. */
  #lastOutput: OutputWrite | undefined;
  /** The time of the run's first event. */
  #begunAt: number | undefined;
  #bytesAhead = 0;
  /** Settles when the outputs that are ahead of the log are within bounds again. */
  #written: Deferred<void> | undefined;
  #isClosing = false;
  #isLost = false;
  #isReleased = false;

  private constructor(environment: WriterEnvironment, identity: TaskIdentity, birth?: Birth) {
    this.#environment = environment;
    this.identity = identity;
    this.#birth = birth;
  }

  /** A writer for a task that is not stored yet, and may never be. */
  static unborn(environment: WriterEnvironment, birth: Birth): TaskWriter {
    return new TaskWriter(environment, birth.identity, birth);
  }

  /** A writer for a stored task, of which the run knows the log up to a sequence. */
  static born(environment: WriterEnvironment, held: Held, lastSequence: number): TaskWriter {
    const writer = new TaskWriter(environment, held.handle.live.identity);
    writer.#held = held;
    writer.#lastSequence = lastSequence;
    return writer;
  }

  /** The epoch under which the run writes; 0 while there is no task. */
  get epoch(): number {
    return this.#held?.epoch ?? this.#restingEpoch ?? 0;
  }

  /** The last log entry that the run knows. */
  get lastSequence(): number {
    return this.#held?.handle.live.replica.sequence ?? this.#lastSequence;
  }

  /** True once there is a task, or certainly will be. */
  get isPlanned(): boolean {
    return this.#isBegun || this.#firstOutputs.length > 0;
  }

  /** The run's last write is under way or done. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** The run may no longer write to its task. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Roughly how many bytes the task holds. */
  get bytes(): number {
    return this.#held?.handle.live.replica.bytes ?? this.#bytesAhead;
  }

  /** True once the task is stored, or its first append is under way. */
  get #isBegun(): boolean {
    return this.epoch > 0 || this.#creating !== undefined;
  }

  /** The time of an event. The task is created as of the first one, so that no event is older than its task. */
  now(): number {
    const now = this.#environment.clock.now();
    this.#begunAt ??= now;
    return now;
  }

  /** Tells the observer of everything from now on. A run whose task another node has already claimed learns it here. */
  observe(observer: TaskObserver): void {
    this.#observer = observer;
    if (this.#held !== undefined) this.#follow(this.#held);
  }

  /** Writes an output. Returns a promise if the handler has to wait; never when the run has lost its task. */
  tell(event: LogEvent, bytes: number): Promise<void> | undefined {
    const held = this.#held;
    if (held === undefined) {
      return this.#isBegun ? this.#tellLater(event, bytes) : this.#plan(event, bytes);
    }
    if (this.#isLost) return undefined;
    if (this.#isClosing) return neverSettles();
    const { live } = held.handle;
    this.#bytesAhead += bytes;
    this.#lastOutput = new OutputWrite(this, held.epoch, event, bytes);
    live.enqueue(this.#lastOutput);
    if (this.#bytesAhead > maxBytesAhead) return (this.#written = createDeferred()).promise;
    return live.backlog >= maxBacklog ? live.taken() : this.#observer.pause();
  }

  /** True for the last output as long as it is not on its way to the store: it may still be changed. */
  isAhead(event: LogEvent): boolean {
    if (!this.#isBegun) return this.#firstOutputs.at(-1) === event;
    return this.#lastOutput?.events[0] === event && !this.#lastOutput.isTaken;
  }

  /**
   * Gives up the hold on the task without giving up the right to write: a run that waits for its caller costs no
   * live task. The next write takes the hold again.
   */
  rest(): void {
    const held = this.#held;
    if (held === undefined || this.#isLost || this.#isReleased) return;
    this.#lastSequence = held.handle.live.replica.sequence;
    this.#restingEpoch = held.epoch;
    this.#held = undefined;
    // Promises keep what they resolved with.
    this.#creating = undefined;
    this.#waking = undefined;
    this.#lastOutput = undefined;
    this.#letGo(held);
  }

  /**
   * Creates the task if there is none, and takes hold of one that is at rest. Resolves with `undefined` when the run
   * has lost its task.
   */
  async ensure(): Promise<LiveTask | undefined> {
    if (this.#isLost) return undefined;
    if (this.#held !== undefined) return this.#held.handle.live;
    if (this.#restingEpoch !== undefined) return (this.#waking ??= this.#wake(this.#restingEpoch));
    try {
      return await (this.#creating ??= this.#create({ events: [] }));
    } catch {
      // The observer has the error.
      return undefined;
    }
  }

  takesUp(credentials?: JsonValue): LogEvent | undefined {
    return this.#isClosing || this.#isLost ? undefined : this.#observer.takesUp(credentials);
  }

  /**
   * Reads the log for the handler. A store that does not answer is no failure of the handler: the run is over, and
   * recovery begins it again.
   */
  async look<T>(read: (live: LiveTask) => Promise<T>): Promise<T> {
    const live = await this.ready();
    try {
      return await read(live);
    } catch (error) {
      this.fail(error);
      return neverSettles();
    }
  }

  /** Creates the task if there is none. The handler stops here while the run has no slot for it. */
  async ready(): Promise<LiveTask> {
    const live = this.#isClosing ? undefined : await this.ensure();
    const turn = live && this.#observer.pause();
    if (turn !== undefined) await turn;
    return live === undefined || (turn !== undefined && this.#isLost) ? neverSettles() : live;
  }

  async write(build: Build): Promise<void> {
    if (!(await this.tryWrite(build))) return neverSettles();
  }

  /** Writes, or resolves with false when the run has lost its task or is closing. */
  async tryWrite(build: Build): Promise<boolean> {
    return !this.#isClosing && this.#commit(build, false);
  }

  /**
   * The run's last write: nothing that the handler does afterwards is written. Resolves with false when the run
   * has lost its task.
   */
  writeLast(build: Build): Promise<boolean> {
    this.#isClosing = true;
    return this.#commit(build, true);
  }

  /** An output is committed. */
  wrote(bytes: number): void {
    this.#bytesAhead -= bytes;
    if (this.#bytesAhead <= maxBytesAhead) this.#written?.resolve();
  }

  /** A write has failed: another node has the task, or the store does not answer. */
  fail(error: unknown): void {
    this.#lose(error, this.#held !== undefined && !isFenced(error));
  }

  lose(reason: unknown): void {
    this.#lose(reason, false);
  }

  /** Writes nothing more, and lets a handler go on that waits for its outputs to be committed. */
  stop(): void {
    this.#isLost = true;
    this.#written?.resolve();
  }

  /** Ends the hold on the task. A task that is still being created is released when it is there. */
  release(): void {
    this.#isClosing = true;
    this.#isReleased = true;
    if (this.#held !== undefined) this.#letGo(this.#held);
  }

  #letGo({ handle }: Held): void {
    this.#stopObserving?.();
    this.#stopObserving = undefined;
    if (handle.live.holder === this) handle.live.holder = undefined;
    handle.release();
  }

  /** The first outputs create the task and are stored with it: all that come within this turn of the event loop. */
  #plan(event: LogEvent, bytes: number): Promise<void> | undefined {
    this.#begunAt ??= this.#environment.clock.now();
    if (this.#firstOutputs.length === 0) {
      this.#observer.planned();
      atTurnsEnd(() => void this.ensure(), this.#environment.clock);
    }
    this.#bytesAhead += bytes;
    const isFull = this.#firstOutputs.push(event) >= maxBacklog || this.#bytesAhead > maxBytesAhead;
    return isFull ? this.#begun() : this.#observer.pause();
  }

  async #begun(): Promise<void> {
    await this.ensure();
    if (this.#isClosing && !this.#isLost) await neverSettles();
  }

  async #tellLater(event: LogEvent, bytes: number): Promise<void> {
    if ((await this.ensure()) !== undefined) await this.tell(event, bytes);
  }

  /** False when the run has lost its task. */
  async #commit(build: Build, alone: boolean): Promise<boolean> {
    const guarded: Build = (state) => (this.#isLost ? refuseWrite() : build(state));
    try {
      if (this.#isBegun) {
        const held = await this.#hold();
        if (held === undefined) return false;
        const { handle, epoch } = held;
        await handle.live.write(guarded, { alone, epoch });
      } else {
        const draft = guarded("TASK_STATE_WORKING");
        if (draft !== undefined) await (this.#creating = this.#create(draft));
      }
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  /** The task, to write to at once. The run may come to rest while this takes hold of it, and is woken again. */
  async #hold(): Promise<Held | undefined> {
    while (this.#held === undefined) {
      if ((await this.ensure()) === undefined) return undefined;
    }
    return this.#held;
  }

  async #create(draft: Draft): Promise<LiveTask> {
    const { clock, liveTasks, node, orphans } = this.#environment;
    let handle: LiveHandle | undefined;
    let committed: Committed;
    this.#observer.planned();
    try {
      if (this.#birth === undefined) throw new Error("a stored task cannot be created again");
      const first = firstDraft(this.#birth, {
        node,
        at: this.#begunAt ?? clock.now(),
        isWorking: this.isWorking,
        outputs: this.#firstOutputs,
        draft,
      });
      handle = liveTasks.create(this.identity);
      committed = await handle.live.write(() => first);
    } catch (error) {
      handle?.release();
      // The store may have committed the task, so recovery has to look at it.
      if (!isRefused(error)) orphans.add(this.identity.taskId);
      this.fail(error);
      throw error;
    }
    this.#held = { handle, epoch: committed.epoch };
    this.#lastSequence = entriesOfBirth;
    this.#birth = undefined;
    this.#firstOutputs.length = 0;
    this.#bytesAhead = 0;
    this.#observer.born();
    this.#follow(this.#held);
    return handle.live;
  }

  /** Takes hold of a task that is at rest, and tells the observer what has happened meanwhile. */
  async #wake(epoch: number): Promise<LiveTask | undefined> {
    let handle: LiveHandle | undefined;
    try {
      handle = await this.#environment.liveTasks.open(this.identity.taskId);
      if (handle === undefined) throw taskIsGone(this.identity.publicId);
      const { live } = handle;
      const after = this.#lastSequence;
      if (live.replica.sequence <= after) await live.refresh();
      const missed: LiveEntry[] = [];
      for await (const entry of live.entriesAfter(after)) missed.push(entry);
      if (this.#isLost || this.#isReleased) {
        handle.release();
        return undefined;
      }
      this.#lastSequence = missed.at(-1)?.sequence ?? after;
      this.#restingEpoch = undefined;
      this.#held = { handle, epoch };
      for (const entry of missed) this.#observer.entry(entry);
      this.#follow(this.#held);
      return this.#isLost ? undefined : live;
    } catch (error) {
      handle?.release();
      this.#lose(error, !isFenced(error));
      return undefined;
    }
  }

  #follow({ handle: { live }, epoch }: Held): void {
    const { entry } = this.#observer;
    live.holder = this;
    const claimed = (claim: number): void => {
      if (claim > epoch) this.#lose(new Error("another node has taken over the task"), false);
    };
    this.#stopObserving = live.replica.observe(this.#lastSequence, { added: entry, claimed });
    claimed(live.replica.epoch);
    if (this.#isReleased) this.release();
  }

  #lose(reason: unknown, isDropped: boolean): void {
    if (this.#isLost) return;
    this.stop();
    this.#observer.lost(reason, isDropped);
  }
}

const nobody: TaskObserver = {
  planned: () => undefined,
  born: () => undefined,
  pause: () => undefined,
  entry: () => undefined,
  lost: () => undefined,
  takesUp: () => {
    throw new Error("a run that nobody observes takes up nothing");
  },
};

function taskIsGone(publicId: string): A2AError {
  return new A2AError("TASK_NOT_FOUND", `task ${publicId} has been deleted`);
}

/** True when the write was refused because another node has the task, or because the task has ended or is gone. */
function isFenced(error: unknown): boolean {
  const codes = ["CONCURRENT_MODIFICATION", "UNSUPPORTED_OPERATION", "TASK_NOT_FOUND"];
  return A2AError.is(error) && codes.includes(error.code);
}
