import { createDeferred } from "../../async/internal.js";
import type { Deferred } from "../../async/internal.js";
import type { Line, Pool, Waiting } from "./pool.js";

/** Where a run gets its slots. */
interface SlotSource {
  /** For runs that have a task. */
  readonly tasks: Pool;
  /** True when a run of this caller, which waits for a task slot, may give up its reply slot meanwhile. */
  mayPause(share: string): boolean;
}

/**
 * A run's place among the working runs, or in the queue for one. A run that becomes a task while no task slot is free
 * for it keeps its reply slot until it can wait without working.
 */
export class RunSlot implements Waiting {
  readonly #source: SlotSource;
  readonly #share: string;
  /** Where it has a slot. */
  #held: Line | undefined;
  /** Where it waits for a slot. */
  #awaited: Line | undefined;
  #turn: Deferred<void> | undefined;
  #isTask = false;
  #isReleased = false;

  constructor(source: SlotSource, pool: Pool, share: string) {
    this.#source = source;
    this.#share = share;
    this.#isTask = pool === source.tasks;
    this.#enter(pool);
  }

  /** Resolves when the run may begin, or go on; absent while it may. */
  get turn(): Promise<void> | undefined {
    if (this.#held !== undefined || this.#awaited === undefined) return undefined;
    return (this.#turn ??= createDeferred()).promise;
  }

  /** The run has a task from now on, or certainly will: it takes a task slot, or waits for one. */
  becomeTask(): void {
    if (this.#isTask || this.#isReleased) return;
    this.#isTask = true;
    this.#awaited?.pool.forget(this.#awaited, this);
    this.#awaited = undefined;
    this.#enter(this.#source.tasks);
  }

  /**
   * The handler can stop here until it has a task slot: gives the reply slot back if the run still has one. Returns
   * `undefined` when the run may go on: it has its slot, or so many wait that it goes on in its reply slot. So no more
   * handlers stand still in their work than may be at work.
   */
  pause(): Promise<void> | undefined {
    if (this.#awaited === undefined) return undefined;
    const held = this.#held;
    if (held !== undefined) {
      if (!this.#source.mayPause(this.#share)) return undefined;
      this.#held = undefined;
      held.pool.leave(held);
    }
    return this.turn;
  }

  /** Gives up the slot, or the place in the queue. Counts once. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#awaited?.pool.forget(this.#awaited, this);
    this.#held?.pool.leave(this.#held);
  }

  granted(line: Line): void {
    const before = this.#held;
    this.#held = line;
    this.#awaited = undefined;
    before?.pool.leave(before);
    this.#turn?.resolve();
    this.#turn = undefined;
  }

  #enter(pool: Pool): void {
    if (pool.hasRoom(this.#share)) this.granted(pool.take(this.#share));
    else this.#awaited = pool.wait(this.#share, this);
  }
}
