import { atTurnsEnd, createDeferred, neverSettles } from "../../async/internal.js";
import type { Deferred } from "../../async/internal.js";
import type { LogEvent } from "../../store/internal.js";
import type { Draft } from "../log/draft.js";
import { maxBatchEvents } from "../log/live-task.js";
import type { LiveTask } from "../log/live-task.js";
import type { Write } from "../log/write.js";
import type { RunTask } from "./run-task.js";

/** Outputs that may wait for their turn to be written before the handler has to wait: a full append. */
const maxBacklog = maxBatchEvents;
/** Bytes of outputs that may be ahead of their commit. */
const maxBytesAhead = 1024 * 1024;

/** The run whose outputs these are. */
interface Speaker {
  readonly task: () => RunTask;
  /** The task is not the run's any more. */
  readonly isLost: () => boolean;
  /** The run writes its last. */
  readonly isClosing: () => boolean;
  /** The task; `undefined` when the run has lost it. */
  readonly ensure: () => Promise<LiveTask | undefined>;
  readonly lose: (error: unknown) => void;
  /** Thrown by what is written after all. */
  readonly over: () => never;
}

/** What a run says, on its way to the log: ahead of it as far as pays, and no further. */
export class RunOutputs {
  readonly speaker: Speaker;
  #bytesAhead = 0;
  /** Settles when the outputs that are ahead have come down to what they may be. */
  #written: Deferred<void> | undefined;

  constructor(speaker: Speaker) {
    this.speaker = speaker;
  }

  /** What has been said and is not stored yet. */
  get bytesAhead(): number {
    return this.#bytesAhead;
  }

  /** Tells an event. Answers what the handler has to wait for, if anything. */
  tell(event: LogEvent, bytes: number): Promise<void> | undefined {
    const { held, isMade } = this.speaker.task();
    if (held !== undefined) return this.#enqueue(held.handle.live, held.epoch, event, bytes);
    return isMade ? this.#tellOnceMade(event, bytes) : this.#begin(event, bytes);
  }

  /** An output is stored. */
  wrote(bytes: number): void {
    this.#bytesAhead -= bytes;
    if (this.#bytesAhead <= maxBytesAhead) this.#written?.resolve();
  }

  /** The task is made, and with it stored what was said before. */
  made(): void {
    this.#bytesAhead = 0;
  }

  /** Lets a handler go that waits for outputs to be stored. */
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

  /** The first outputs make the task and are stored with it: as many as come before the handler waits. */
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

/** The write of one output, which is also what it writes: there is one for every chunk of every stream. */
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
