import type { Bus } from "../bus/index.js";
import type { Store } from "../store/index.js";
import type { Clock } from "./clock.js";
import { LiveTask } from "./live-task.js";

/** A task that is kept in memory until it is released. */
export interface LiveHandle {
  readonly live: LiveTask;
  release(): void;
}

interface Kept {
  readonly live: Promise<LiveTask | undefined>;
  holders: number;
  unsubscribe: () => void;
}

/** How often tasks in memory are looked at, in case a wake-up was lost or there is no bus between nodes. */
const pollMs = 1000;

/**
 * The tasks this node writes or watches. Each is in memory once, however many hold it, and only as
 * long as somebody does.
 */
export class LiveTasks {
  readonly #engines: { readonly store: Store; readonly bus: Bus; readonly clock: Clock };
  readonly #kept = new Map<string, Kept>();
  #stopPolling: (() => void) | undefined;

  constructor(engines: { readonly store: Store; readonly bus: Bus; readonly clock: Clock }) {
    this.#engines = engines;
  }

  /** How many tasks are in memory. */
  get size(): number {
    return this.#kept.size;
  }

  /** A stored task by the store's id; `undefined` when there is none. */
  async open(taskId: string): Promise<LiveHandle | undefined> {
    const kept = this.#kept.get(taskId) ?? this.#keep(taskId, this.#load(taskId));
    kept.holders += 1;
    const live = await kept.live;
    if (live !== undefined) return this.#handle(taskId, kept, live);
    this.#drop(taskId, kept);
    return undefined;
  }

  /** A task that is about to be stored. */
  add(live: LiveTask): LiveHandle {
    const { taskId } = live.origin;
    const kept = this.#keep(taskId, Promise.resolve(live));
    kept.holders += 1;
    this.#follow(kept, live);
    return this.#handle(taskId, kept, live);
  }

  close(): void {
    this.#stopPolling?.();
    for (const kept of this.#kept.values()) kept.unsubscribe();
    this.#kept.clear();
  }

  #keep(taskId: string, live: Promise<LiveTask | undefined>): Kept {
    const kept: Kept = { live, holders: 0, unsubscribe: () => undefined };
    this.#kept.set(taskId, kept);
    this.#startPolling();
    void live.then(
      (task) => task && this.#kept.get(taskId) === kept && this.#follow(kept, task),
      () => this.#kept.get(taskId) === kept && this.#kept.delete(taskId),
    );
    return kept;
  }

  async #load(taskId: string): Promise<LiveTask | undefined> {
    const stored = await this.#engines.store.load(taskId);
    return stored && LiveTask.of(this.#engines, stored);
  }

  #follow(kept: Kept, live: LiveTask): void {
    kept.unsubscribe();
    kept.unsubscribe = this.#engines.bus.subscribe(live.origin.taskId, (sequence) => {
      if (sequence > live.sequence) refreshQuietly(live);
    });
  }

  #handle(taskId: string, kept: Kept, live: LiveTask): LiveHandle {
    let isReleased = false;
    return {
      live,
      release: () => {
        if (!isReleased) this.#drop(taskId, kept);
        isReleased = true;
      },
    };
  }

  #drop(taskId: string, kept: Kept): void {
    kept.holders -= 1;
    if (kept.holders > 0) return;
    kept.unsubscribe();
    if (this.#kept.get(taskId) === kept) this.#kept.delete(taskId);
  }

  #startPolling(): void {
    this.#stopPolling ??= this.#engines.clock.after(pollMs, () => {
      this.#stopPolling = undefined;
      // Also those that this node works on: others send messages to them, cancel them, take them over.
      for (const { live } of this.#kept.values()) {
        live.then(
          (task) => task && refreshQuietly(task),
          () => undefined,
        );
      }
      if (this.#kept.size > 0) this.#startPolling();
    });
  }
}

/** Whoever needs to know asks by itself and hears of the failure; the next poll tries again. */
function refreshQuietly(live: LiveTask): void {
  live.refresh().catch(() => undefined);
}
