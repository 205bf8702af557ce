import { forEachAtMost } from "../../async/internal.js";
import type { BusSubscription } from "../../bus/internal.js";
import { A2AError } from "../../protocol/internal.js";
import { isReached } from "./is-reached.js";
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
  readonly subscription: BusSubscription;
  handles: number;
  /** How many beats until the task is polled although the bus works. */
  beatsLeft: number;
  /** The store's `foreignVersion` at some time before the last read of the task. */
  foreignVersion: number | undefined;
}

const nothing = Promise.resolve(undefined);

/** How often tasks are polled while no bus wakes this node when other processes have written. */
const pollMs = 1000;

/** While one does, each task is polled after so many beats, in case a wake-up was lost. */
const quietBeats = { fewest: 15, most: 30 };

/** How many tasks are read at a time when all of them have to be. */
const readsAtOnce = 64;

/** Fractions of it are spread evenly over any number of tasks. */
const goldenRatio = 0.618_033_988_749_895;

/**
 * The tasks that this node writes or watches. Each is in memory once, however many handles there are, and only
 * as long as there is one.
 */
export class LiveTasks {
  readonly #engines: Engines;
  readonly #kept = new Map<string, Kept>();
  readonly #stopListening: () => void;
  #stopPolling: (() => void) | undefined;
  #opened = 0;
  #isReading = false;
  /** The store's `foreignVersion` at the last poll. */
  #foreignVersion: number | undefined;
  #closed: A2AError | undefined;

  constructor(engines: Engines) {
    const wentBack: Engines["wentBack"] = (live, reason) => {
      this.#forget(live);
      engines.wentBack(live, reason);
    };
    this.#engines = { ...engines, wentBack };
    this.#stopListening = engines.bus.onLost(() => void this.refreshAll());
  }

  /**
   * Opens a stored task by its key in the store; `undefined` when there is none. A task whose first append is under way
   * may be in the store already: whoever opens it waits until this node knows, and reads it anew where it cannot know.
   */
  async open(taskId: string): Promise<LiveHandle | undefined> {
    const kept =
      this.#kept.get(taskId) ?? this.#keep(taskId, () => LiveTask.load(this.#engines, taskId));
    kept.handles += 1;
    const live = await kept.live.catch((error: unknown) => {
      this.#drop(taskId, kept);
      throw error;
    });
    if (live === undefined) {
      this.#drop(taskId, kept);
      return undefined;
    }
    kept.task ??= live;
    if (live.replica.sequence > 0 || (await isStored(live))) return this.#handle(kept, live);
    this.#forget(live);
    this.#drop(taskId, kept);
    return this.open(taskId);
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

  /** Reads what other nodes have written to all tasks in memory. Ignores a store that does not answer. */
  async refreshAll(): Promise<void> {
    await forEachAtMost(readsAtOnce, [...this.#kept.values()], ({ live }) =>
      live.then((task) => task?.refresh()).catch(() => undefined),
    );
  }

  /** Ends all watching with `UNAVAILABLE`; the watchers find their tasks on other nodes. */
  close(): void {
    const reason = new A2AError("UNAVAILABLE", "this node is stopping; its tasks go on elsewhere");
    this.#closed = reason;
    this.#stopListening();
    this.#stopPolling?.();
    for (const { live, subscription } of this.#kept.values()) {
      subscription.stop();
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
    const { bus } = this.#engines;
    const subscription = bus.subscribe(taskId, task?.wake ?? wakeLoaded);
    const beatsLeft = this.#quietPause();
    const foreignVersion = this.#foreignVersion;
    const kept: Kept = { live: load(), task, handles: 0, subscription, beatsLeft, foreignVersion };
    this.#kept.set(taskId, kept);
    this.#startPolling();
    if (bus.isShared) void this.#readOnceHeard(kept);
    return kept;
  }

  /** Reads a task again when the bus takes until after the load, or after the first write, to wake this node. */
  async #readOnceHeard(kept: Kept): Promise<void> {
    const { ready } = kept.subscription;
    let isHeard = false;
    void ready.then(() => (isHeard = true));
    // A bus that is ready at once is so by now, and nothing has reached the store yet.
    await Promise.resolve();
    if (isHeard) return;
    await ready;
    await kept.live.then((task) => task?.refresh()).catch(() => undefined);
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
    kept.subscription.stop();
    kept.live = nothing;
    kept.task = undefined;
    if (this.#kept.get(taskId) === kept) this.#kept.delete(taskId);
  }

  /** The next one to open this task begins anew. Whoever has done so already, since all handles of this one were released, stays. */
  #forget(live: LiveTask): void {
    const { taskId } = live.identity;
    const kept = this.#kept.get(taskId);
    if (kept?.task !== live) return;
    kept.subscription.stop();
    this.#kept.delete(taskId);
  }

  #startPolling(): void {
    this.#stopPolling ??= this.#engines.clock.after(pollMs, () => {
      this.#stopPolling = undefined;
      void this.#pollDue();
      if (this.#kept.size > 0) this.#startPolling();
    });
  }

  /** Polls the tasks whose time has come. A store that is slow is not asked again before it has answered. */
  async #pollDue(): Promise<void> {
    const isWoken = this.#isWoken;
    const due: Kept[] = [];
    for (const kept of this.#kept.values()) {
      // Only this node writes to a task that is not stored yet.
      if (kept.task?.replica.sequence === 0) continue;
      kept.beatsLeft -= 1;
      if (isWoken && kept.beatsLeft > 0) continue;
      kept.beatsLeft = this.#quietPause();
      due.push(kept);
    }
    if (this.#isReading || due.length === 0) return;
    this.#isReading = true;
    // The next poll asks a store again that does not answer.
    const version = await this.#engines.store.foreignVersion?.().catch(() => undefined);
    this.#foreignVersion = version;
    const stale = due.filter((kept) => version === undefined || kept.foreignVersion !== version);
    await forEachAtMost(readsAtOnce, stale, async (kept) => {
      try {
        const task = await kept.live;
        await (isWoken ? task?.look() : task?.poll());
        kept.foreignVersion = version;
      } catch {
        // Nothing is known of the task, so the next poll reads it.
      }
    });
    this.#isReading = false;
  }

  /** Whether this node is woken at present when another process has written. */
  get #isWoken(): boolean {
    return isReached(this.#engines) && this.#engines.areAllHeard();
  }

  /** A number of beats that differs from task to task, so that they are not polled all at once. */
  #quietPause(): number {
    this.#opened += 1;
    const { fewest, most } = quietBeats;
    return fewest + Math.floor((most - fewest + 1) * ((this.#opened * goldenRatio) % 1));
  }
}

/** Waits for the first append of a task; false where that has failed. */
async function isStored({ replica }: LiveTask): Promise<boolean> {
  try {
    await replica.changed(0);
    return true;
  } catch {
    return false;
  }
}
