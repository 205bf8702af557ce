import { atTurnsEnd, createDeferred, neverSettles } from "../../../async/internal.js";
import type { Deferred } from "../../../async/internal.js";
import type { JsonValue, TraceContext } from "../../../protocol/internal.js";
import type { LogEvent } from "../../../store/internal.js";
import { maxBatchEvents } from "../../log/batch.js";
import { LogWentBack } from "../../log/log-went-back.js";
import { TaskGone } from "../../log/task-gone.js";
import type { LiveEntry } from "../../log/live-entry.js";
import type { LiveTask } from "../../log/live-task.js";
import type { LiveHandle } from "../../log/live-tasks.js";
import type { TaskHolder } from "../../log/task-holder.js";
import type { TaskIdentity } from "../../log/task-identity.js";
import { isFenced } from "../../log/write.js";
import type { Build, Draft } from "../../log/write.js";
import { takenOver } from "../leave-reasons.js";
import type { Birth } from "./birth.js";
import type { Held } from "./held.js";
import { OutputWrite, refuseWrite } from "./output-write.js";
import type { OutputOwner } from "./output-write.js";
import { nobody } from "./task-observer.js";
import type { TaskObserver } from "./task-observer.js";
import { entriesOfBirth, UnbornTask } from "./unborn-task.js";
import type { BirthEnvironment } from "./unborn-task.js";

/** How many outputs may wait in the queue before the handler has to wait: a full append. */
const maxBacklog = maxBatchEvents;
/** How many bytes of outputs may be ahead of their commit before the handler has to wait. */
const maxBytesAhead = 1024 * 1024;

/**
 * Writes what one run does to the log of its task, under one epoch. The first write of an unborn task creates it,
 * in the same append. Outputs may be ahead of the log, within bounds.
 *
 * Once the run is over, promises of this class stay pending for ever, except where a method says otherwise.
 */
export class TaskWriter implements TaskHolder, OutputOwner {
  readonly identity: TaskIdentity;
  readonly #environment: BirthEnvironment;
  /** The task as long as it is not stored. */
  #unborn: UnbornTask | undefined;
  #held: Held | undefined;
  /** The epoch of a task that is at rest. */
  #restingEpoch: number | undefined;
  #waking: Promise<LiveTask | undefined> | undefined;
  /** The last log entry that the run knows. */
  #lastSequence = 0;
  #observer: TaskObserver = nobody;
  /** The span of the run, if somebody will see it. */
  #trace: TraceContext | undefined;
  #stopObserving: (() => void) | undefined;
  #creating: Promise<LiveTask> | undefined;
  /** The last output that went into the queue. */
  #lastOutput: OutputWrite | undefined;
  #bytesAhead = 0;
  /** Settles when the outputs that are ahead of the log are within bounds again. */
  #written: Deferred<void> | undefined;
  #isClosing = false;
  #isLost = false;
  #isReleased = false;

  private constructor(environment: BirthEnvironment, identity: TaskIdentity) {
    this.#environment = environment;
    this.identity = identity;
  }

  /** A writer for a task that is not stored yet, and may never be. */
  static unborn(environment: BirthEnvironment, birth: Birth): TaskWriter {
    const writer = new TaskWriter(environment, birth.identity);
    writer.#unborn = new UnbornTask(birth);
    return writer;
  }

  /** A writer for a stored task, of which the run knows the log up to a sequence. */
  static born(environment: BirthEnvironment, held: Held, lastSequence: number): TaskWriter {
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
    return this.#isBegun || (this.#unborn?.outputs.length ?? 0) > 0;
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

  /** The time of an event. */
  now(): number {
    const now = this.#environment.clock.now();
    if (this.#unborn !== undefined) this.#unborn.begunAt ??= now;
    return now;
  }

  /** The handler works: a task that is created from now on begins as WORKING. */
  beginWork(): void {
    if (this.#unborn !== undefined) this.#unborn.isWorking = true;
  }

  /** What is written from now on is part of this span. */
  traceAs(trace: TraceContext | undefined): void {
    this.#trace = trace;
    if (this.#held !== undefined) this.#held.handle.live.trace = trace;
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
      const unborn = this.#isBegun ? undefined : this.#unborn;
      return unborn === undefined
        ? this.#tellLater(event, bytes)
        : this.#plan(unborn, event, bytes);
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
    if (!this.#isBegun) return this.#unborn?.outputs.at(-1) === event;
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
    if (handle.live.holder === this) handle.live.holder = handle.live.trace = undefined;
    handle.release();
  }

  /** The first outputs create the task and are stored with it: all that come within this turn of the event loop. */
  #plan(unborn: UnbornTask, event: LogEvent, bytes: number): Promise<void> | undefined {
    const { clock } = this.#environment;
    unborn.begunAt ??= clock.now();
    if (unborn.outputs.length === 0) {
      this.#observer.planned();
      // A question in the same turn has created the task by then, and may have let it rest.
      atTurnsEnd(() => this.#isBegun || void this.ensure(), clock);
    }
    this.#bytesAhead += bytes;
    const isFull = unborn.outputs.push(event) >= maxBacklog || this.#bytesAhead > maxBytesAhead;
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
    this.#observer.planned();
    let held: Held;
    try {
      if (this.#unborn === undefined) throw new Error("a stored task cannot be created again");
      held = await this.#unborn.create(this.#environment, draft, this.#trace);
    } catch (error) {
      this.fail(error);
      throw error;
    }
    this.#held = held;
    this.#lastSequence = entriesOfBirth;
    this.#unborn = undefined;
    this.#bytesAhead = 0;
    this.#observer.born();
    this.#follow(held);
    return held.handle.live;
  }

  /** Takes hold of a task that is at rest, and tells the observer what has happened meanwhile. */
  async #wake(epoch: number): Promise<LiveTask | undefined> {
    let handle: LiveHandle | undefined;
    try {
      handle = await this.#environment.liveTasks.open(this.identity.taskId);
      if (handle === undefined) throw new TaskGone(this.identity.taskId);
      const { live } = handle;
      const after = this.#lastSequence;
      if (live.replica.sequence <= after) await live.refresh();
      // The replica may be younger than this run, and does not know what the store has lost.
      if (live.replica.sequence < after) throw new LogWentBack(this.identity.publicId);
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
      if (this.#isLost) return undefined;
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
    live.trace = this.#trace;
    const claimed = (claim: number): void => {
      if (claim > epoch) this.#lose(takenOver(), false);
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
