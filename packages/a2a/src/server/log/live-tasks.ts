import { A2AError } from "../../protocol/internal.js";
import { LiveTask } from "./live-task.js";
import type { Engines } from "./live-task.js";
import type { TaskIdentity } from "./task-identity.js";

/** A task that stays in memory until its handle is released. */
export interface LiveHandle {
  readonly live: LiveTask;
  /** Releasing again does nothing. */
  release(): void;
}

/** A task in memory, with a count of its handles. Cleared with the last handle: hash tables may keep it longer. */
interface Kept {
  live: Promise<LiveTask | undefined>;
  /** The task once `live` has resolved. */
  task: LiveTask | undefined;
  readonly unsubscribe: () => void;
  handles: number;
}

const nothing = Promise.resolve(undefined);

/** How often tasks are polled in case the bus has lost a wake-up. */
const pollMs = 1000;

/**
 * The tasks that this node writes or watches. Each is in memory once, however many handles there are, and only
 * as long as there is one.
 */
export class LiveTasks {
  readonly #engines: Engines;
  readonly #kept = new Map<string, Kept>();
  #stopPolling: (() => void) | undefined;
  #closed: A2AError | undefined;

  constructor(engines: Engines) {
    this.#engines = engines;
  }

  /** Opens a stored task by its key in the store; `undefined` when there is none. */
  async open(taskId: string): Promise<LiveHandle | undefined> {
    const kept =
      this.#kept.get(taskId) ?? this.#keep(taskId, () => LiveTask.load(this.#engines, taskId));
    kept.handles += 1;
    const live = await kept.live.catch((error: unknown) => {
      this.#drop(taskId, kept);
      throw error;
    });
    kept.task ??= live;
    if (live !== undefined) return this.#handle(kept, live);
    this.#drop(taskId, kept);
    return undefined;
  }

  /** A task under a new key. It is stored by its first write. */
  create(identity: TaskIdentity): LiveHandle {
    const live = LiveTask.create(this.#engines, identity);
    const kept = this.#keep(identity.taskId, async () => live, live);
    kept.handles += 1;
    return this.#handle(kept, live);
  }

  /** The task with this key, if it is in memory. */
  peek(taskId: string): LiveTask | undefined {
    return this.#kept.get(taskId)?.task;
  }

  /** Reads what other nodes have written to all tasks in memory. */
  async refreshAll(): Promise<void> {
    await Promise.all(Array.from(this.#kept.values(), ({ live }) => this.#poll(live)));
  }

  /** Ends all watching with `UNAVAILABLE`; the watchers find their tasks on other nodes. */
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

  /** Keeps a task that is there, or that is being loaded. */
  #keep(taskId: string, load: () => Promise<LiveTask | undefined>, task?: LiveTask): Kept {
    if (this.#closed !== undefined) throw this.#closed;
    const wakeLoaded = (sequence: number): void => {
      if (kept.task !== undefined) kept.task.wake(sequence);
      else void this.#wakeOnceLoaded(kept, sequence);
    };
    // Subscribes before loading, so that nothing is missed in between.
    const { stop } = this.#engines.bus.subscribe(taskId, task?.wake ?? wakeLoaded);
    const kept: Kept = { live: load(), task, handles: 0, unsubscribe: stop };
    this.#kept.set(taskId, kept);
    this.#startPolling();
    return kept;
  }

  async #wakeOnceLoaded(kept: Kept, sequence: number): Promise<void> {
    try {
      (await kept.live)?.wake(sequence);
    } catch {
      // Whoever has opened the task gets the error.
    }
  }

  #handle(kept: Kept, live: LiveTask): LiveHandle {
    let isReleased = false;
    return {
      live,
      release: () => {
        if (!isReleased) this.#drop(live.identity.taskId, kept);
        isReleased = true;
      },
    };
  }

  #drop(taskId: string, kept: Kept): void {
    kept.handles -= 1;
    if (kept.handles > 0) return;
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

  /** Ignores a store that does not answer: the next poll asks again. */
  async #poll(live: Promise<LiveTask | undefined>): Promise<void> {
    await live.then((task) => task?.poll()).catch(() => undefined);
  }
}
