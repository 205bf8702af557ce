import { A2AError } from "../../protocol/internal.js";
import type { Bus } from "../../bus/internal.js";
import type { Store } from "../../store/internal.js";
import type { Clock } from "../../async/internal.js";
import type { Notifier } from "../push/notifier.js";
import { LiveTask } from "./live-task.js";

/** A task that is kept in memory until it is released. */
export interface LiveHandle {
  readonly live: LiveTask;
  release(): void;
}

interface Engines {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly notifier: Notifier | undefined;
}

/** Lets go of its task when the last holder does: tables may remember it for longer. */
interface Kept {
  live: Promise<LiveTask | undefined>;
  /** Once it is there. */
  task: LiveTask | undefined;
  readonly unsubscribe: () => void;
  holders: number;
}

const nothing = Promise.resolve(undefined);

/** How often tasks are looked at in case a wake-up was lost. */
const pollMs = 1000;

/**
 * The tasks this node writes or watches. Each is in memory once, however many hold it, and only as
 * long as somebody does.
 */
export class LiveTasks {
  readonly #engines: Engines;
  readonly #kept = new Map<string, Kept>();
  #stopPolling: (() => void) | undefined;
  #closed: A2AError | undefined;

  constructor(engines: Engines) {
    this.#engines = engines;
  }

  /** A stored task by the store's id; `undefined` when there is none. */
  async open(taskId: string): Promise<LiveHandle | undefined> {
    const kept = this.#kept.get(taskId) ?? this.#keep(taskId, () => this.#load(taskId));
    kept.holders += 1;
    const live = await kept.live.catch((error: unknown) => {
      this.#drop(taskId, kept);
      throw error;
    });
    kept.task ??= live;
    if (live !== undefined) return this.#handle(kept, live);
    this.#drop(taskId, kept);
    return undefined;
  }

  /** A task that is about to be stored, under an id that is new. */
  add(live: LiveTask): LiveHandle {
    const kept = this.#keep(live.origin.taskId, async () => live);
    kept.task = live;
    kept.holders += 1;
    return this.#handle(kept, live);
  }

  /** Takes in what other nodes have written to tasks while this one was not looking. */
  async refreshAll(): Promise<void> {
    await Promise.all(Array.from(this.#kept.values(), ({ live }) => this.#poll(live)));
  }

  /** Sends away everyone who watches; they find the tasks elsewhere. */
  close(): void {
    const reason = new A2AError("UNAVAILABLE", "this node is stopping; its tasks go on elsewhere");
    this.#closed = reason;
    this.#stopPolling?.();
    for (const { live, unsubscribe } of this.#kept.values()) {
      unsubscribe();
      void live.then((task) => task?.close(reason)).catch(() => undefined);
    }
    this.#kept.clear();
  }

  #keep(taskId: string, load: () => Promise<LiveTask | undefined>): Kept {
    if (this.#closed !== undefined) throw this.#closed;
    // Who listens before reading misses nothing in between.
    const unsubscribe = this.#engines.bus.subscribe(taskId, (sequence) => {
      // Most of what is heard is this node's own doing.
      if (sequence > (kept.task?.sequence ?? 0)) void this.#catchUp(kept, sequence);
    });
    const kept: Kept = { live: load(), task: undefined, holders: 0, unsubscribe };
    this.#kept.set(taskId, kept);
    this.#startPolling();
    return kept;
  }

  /** What cannot be read now is read when the task is looked at the next time. */
  async #catchUp(kept: Kept, sequence: number): Promise<void> {
    try {
      const task = await kept.live;
      if (task !== undefined && sequence > task.sequence) await task.refresh();
    } catch {
      // Whoever waits for the task hears of it.
    }
  }

  async #load(taskId: string): Promise<LiveTask | undefined> {
    const stored = await this.#engines.store.load(taskId);
    return stored && LiveTask.of(this.#engines, stored);
  }

  #handle(kept: Kept, live: LiveTask): LiveHandle {
    let isReleased = false;
    return {
      live,
      release: () => {
        if (!isReleased) this.#drop(live.origin.taskId, kept);
        isReleased = true;
      },
    };
  }

  #drop(taskId: string, kept: Kept): void {
    kept.holders -= 1;
    if (kept.holders > 0) return;
    kept.unsubscribe();
    kept.live = nothing;
    kept.task = undefined;
    if (this.#kept.get(taskId) === kept) this.#kept.delete(taskId);
  }

  #startPolling(): void {
    this.#stopPolling ??= this.#engines.clock.after(pollMs, () => {
      this.#stopPolling = undefined;
      for (const { live } of this.#kept.values()) void this.#poll(live);
      if (this.#kept.size > 0) this.#startPolling();
    });
  }

  /** A store that does not answer is asked again the next time. */
  async #poll(live: Promise<LiveTask | undefined>): Promise<void> {
    await live.then((task) => task?.poll()).catch(() => undefined);
  }
}
