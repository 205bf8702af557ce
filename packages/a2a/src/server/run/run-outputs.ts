import { atTurnsEnd, createDeferred, neverSettles } from "../../async/internal.js";
import type { Deferred } from "../../async/internal.js";
import type { LogEvent } from "../../store/internal.js";
import type { Draft } from "../log/draft.js";
import { maxBatchEvents } from "../log/live-task.js";
import type { LiveTask } from "../log/live-task.js";
import type { Write } from "../log/write.js";
import type { RunTask } from "./run-task.js";

/** How many outputs may wait in the queue before the handler has to wait: a full append. */
const maxBacklog = maxBatchEvents;
/** How many bytes of outputs may be ahead of their commit before the handler has to wait. */
const maxBytesAhead = 1024 * 1024;

/** The run that tells its outputs. */
interface Speaker {
  readonly task: () => RunTask;
  /** The run has lost its task. */
  readonly isLost: () => boolean;
  /** The run's last write is under way. */
  readonly isClosing: () => boolean;
  /** Creates the task if there is none; `undefined` when the run has lost it. */
  readonly ensure: () => Promise<LiveTask | undefined>;
  readonly lose: (error: unknown) => void;
  /** Throws the error of a write that comes after the run is over. */
  readonly over: () => never;
}

/** The outputs of a run on their way to the log. A handler may be ahead of the log, within bounds. */
export class RunOutputs {
  readonly speaker: Speaker;
  #bytesAhead = 0;
  /** Settles when the outputs that are ahead of the log are within bounds again. */
  #written: Deferred<void> | undefined;

  constructor(speaker: Speaker) {
    this.speaker = speaker;
  }

  /** Bytes of outputs that are not committed yet. */
  get bytesAhead(): number {
    return this.#bytesAhead;
  }

  /** Tells an event. Returns a promise if the handler has to wait. */
  tell(event: LogEvent, bytes: number): Promise<void> | undefined {
    const { held, isMade } = this.speaker.task();
    if (held !== undefined) return this.#enqueue(held.handle.live, held.epoch, event, bytes);
    return isMade ? this.#tellOnceMade(event, bytes) : this.#begin(event, bytes);
  }

  /** An output is committed. */
  wrote(bytes: number): void {
    this.#bytesAhead -= bytes;
    if (this.#bytesAhead <= maxBytesAhead) this.#written?.resolve();
  }

  /** The task is created, together with all outputs so far. */
  made(): void {
    this.#bytesAhead = 0;
  }

  /** Lets a handler go on that waits for its outputs to be committed. */
  release(): void {
    this.#written?.resolve();
  }

  #enqueue(
    live: LiveTask,
    epoch: number,
    event: LogEvent,
    bytes: number,
  ): Promise<void> | undefined {
    const { isLost, isClosing } = this.speaker;
    if (isLost()) return undefined;
    if (isClosing()) return neverSettles();
    this.#bytesAhead += bytes;
    live.enqueue(new OutputWrite(this, epoch, event, bytes));
    if (this.#bytesAhead > maxBytesAhead) return (this.#written = createDeferred()).promise;
    return live.backlog >= maxBacklog ? live.taken() : undefined;
  }

  async #tellOnceMade(event: LogEvent, bytes: number): Promise<void> {
    if ((await this.speaker.ensure()) !== undefined) await this.tell(event, bytes);
  }

  /** The first outputs create the task and are stored with it: all that come within this turn of the event loop. */
  #begin(event: LogEvent, bytes: number): Promise<void> | undefined {
    const { ensure } = this.speaker;
    const task = this.speaker.task();
    if (!task.isPlanned) atTurnsEnd(() => void ensure());
    this.#bytesAhead += bytes;
    const isFull = task.plan(event) >= maxBacklog || this.#bytesAhead > maxBytesAhead;
    return isFull ? this.#begun() : undefined;
  }

  async #begun(): Promise<void> {
    const { isLost, isClosing, ensure } = this.speaker;
    await ensure();
    if (isClosing() && !isLost()) await neverSettles();
  }
}

/** The write of one output. It is its own draft, because there is one for every chunk of every stream. */
class OutputWrite implements Write, Draft {
  readonly isOutput = true;
  readonly epoch: number;
  readonly events: readonly LogEvent[];
  readonly bytes: number;
  readonly #outputs: RunOutputs;

  constructor(outputs: RunOutputs, epoch: number, event: LogEvent, bytes: number) {
    this.#outputs = outputs;
    this.epoch = epoch;
    this.events = [event];
    this.bytes = bytes;
  }

  build(): Draft {
    const { isLost, over } = this.#outputs.speaker;
    return isLost() ? over() : this;
  }

  resolve(): void {
    this.#outputs.wrote(this.bytes);
  }

  reject(error: unknown): void {
    this.#outputs.speaker.lose(error);
  }
}
