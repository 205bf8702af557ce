import type { LogEvent } from "../../store/internal.js";
import type { Draft } from "../log/draft.js";
import type { LiveEntry } from "../log/live-entry.js";
import type { LiveTask } from "../log/live-task.js";
import type { LiveHandle } from "../log/live-tasks.js";
import type { Build, WriteOptions } from "../log/write.js";
import type { Journal } from "./journal.js";

/** A task that this node may write to under an epoch. */
export interface Held {
  readonly handle: LiveHandle;
  readonly epoch: number;
}

/** How a run gets its task, and the callbacks for what happens to the task. */
export interface RunTaskOptions {
  readonly journal: Journal;
  /** The task, when there is one already. */
  readonly held?: Held;
  /** Creates the task, with these events after the ones that every task begins with. */
  readonly create: (first: Draft) => Promise<Held>;
  /** An entry that the journal has not taken in yet. */
  readonly received: (entry: LiveEntry) => void;
  /** Another node has claimed the task. */
  readonly claimed: () => void;
}

/** A run's hold on its task: creates the task when it is needed, and writes only under the run's own epoch. */
export class RunTask {
  readonly #options: RunTaskOptions;
  #held: Held | undefined;
  readonly #opening: LogEvent[] = [];
  #creating: Promise<LiveTask> | undefined;
  #stopObserving: () => void = () => undefined;
  #isReleased = false;

  constructor(options: RunTaskOptions) {
    this.#options = options;
    if (options.held !== undefined) this.#hold(options.held);
  }

  /** True once there is a task, or certainly will be. */
  get isPlanned(): boolean {
    return this.isMade || this.#opening.length > 0;
  }

  /** True once the task is stored, or its first append is under way. */
  get isMade(): boolean {
    return this.#held !== undefined || this.#creating !== undefined;
  }

  /** The task, once it is stored. */
  get held(): Held | undefined {
    return this.#held;
  }

  /** Adds an event to those that the task will begin with. Returns how many there are. */
  plan(event: LogEvent): number {
    return this.#opening.push(event);
  }

  /** Creates the task if there is none. */
  async ensure(): Promise<LiveTask> {
    if (this.#held !== undefined) return this.#held.handle.live;
    return (this.#creating ??= this.#create({ events: this.#opening }));
  }

  /** Writes to the task. A write before there is a task creates it, in the same append. */
  async commit(build: Build, options?: Pick<WriteOptions, "alone">): Promise<void> {
    if (!this.isMade) {
      const draft = build("TASK_STATE_WORKING");
      if (draft === undefined) return;
      this.#creating = this.#create({ ...draft, events: [...this.#opening, ...draft.events] });
      await this.#creating;
      return;
    }
    await this.#creating;
    if (this.#held === undefined) throw new Error("the task was created but is not held");
    const { handle, epoch } = this.#held;
    await handle.live.write(build, { alone: options?.alone, epoch });
  }

  /** Releasing again does nothing. A task that is still being created is released when it is there. */
  release(): void {
    this.#isReleased = true;
    this.#stopObserving();
    this.#held?.handle.release();
  }

  async #create(first: Draft): Promise<LiveTask> {
    return this.#hold(await this.#options.create(first));
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
    if (this.#isReleased) this.release();
    return live;
  }
}
