import type { LogEvent } from "../store/index.js";
import type { Journal } from "./journal.js";
import type { LiveEntry } from "./live-entry.js";
import type { Build, Committed, LiveTask, WriteOptions } from "./live-task.js";
import type { LiveHandle } from "./live-tasks.js";

/** A task that this node may write to, under an epoch. */
export interface Held {
  readonly handle: LiveHandle;
  readonly epoch: number;
}

/** How a run comes to its task, and whom it tells what happens to it. */
export interface RunTaskOptions {
  readonly journal: Journal;
  /** The task, when there is one already. */
  readonly held?: Held;
  /** Makes the task, with these events behind those of every task. */
  readonly create: (first: readonly LogEvent[]) => Promise<Held>;
  /** An entry came that the journal has not seen yet. */
  readonly received: (entry: LiveEntry) => void;
  /** The task is in other hands. */
  readonly claimed: () => void;
}

/** A run's hold on its task: makes it when it is needed, and writes under its own epoch only. */
export class RunTask {
  readonly #options: RunTaskOptions;
  #held: Held | undefined;
  #creating: Promise<LiveTask> | undefined;
  #stopObserving: () => void = () => undefined;

  constructor(options: RunTaskOptions) {
    this.#options = options;
    if (options.held !== undefined) this.#hold(options.held);
  }

  /** True once there is a task, or will be. */
  get isPlanned(): boolean {
    return this.#held !== undefined || this.#creating !== undefined;
  }

  /** The task, once it is stored. */
  get held(): Held | undefined {
    return this.#held;
  }

  /** Makes the task if there is none; what it begins with is for the first who asks. */
  async ensure(first: readonly LogEvent[] = []): Promise<LiveTask> {
    if (this.#held !== undefined) return this.#held.handle.live;
    this.#creating ??= this.#options.create(first).then((held) => this.#hold(held));
    return this.#creating;
  }

  commit(build: Build, options?: Pick<WriteOptions, "alone">): Promise<Committed> {
    if (this.#held === undefined) return this.ensure().then(() => this.commit(build, options));
    const { handle, epoch } = this.#held;
    return handle.live.write(build, { ...options, epoch });
  }

  /** Releasing again does nothing. */
  release(): void {
    this.#stopObserving();
    this.#held?.handle.release();
  }

  #hold(held: Held): LiveTask {
    const { journal, received, claimed } = this.#options;
    const { live } = held.handle;
    this.#held = held;
    this.#stopObserving = live.observe(journal.lastSequence, {
      added: received,
      claimed: (epoch) => {
        if (epoch > held.epoch) claimed();
      },
    });
    if (live.epoch > held.epoch) claimed();
    return live;
  }
}
