import { createDeferred, longestPauseMs } from "../../../async/internal.js";
import type { Deferred } from "../../../async/internal.js";
import type { Agent } from "../../author/agent.js";
import type { RunEnvironment } from "../../run-environment.js";
import { Heaviest } from "../../shares/heaviest.js";
import type { Activation } from "../activation.js";

/**
 * How often within `takeUpMs` a node looks whether handlers that wait have their answers. No bus connects processes
 * over one file, so this is how a holder learns there of an answer that another process took.
 */
const looks = 4;

/** The shortest pause between two looks, however short `takeUpMs` is. */
const minLookMs = 50;

/** A handler that waits for an answer. */
interface Waiting {
  readonly activation: Activation;
  readonly since: number;
  readonly bytes: number;
  /** Cleared with the entry, because hash tables may keep it longer. */
  unsubscribe: () => void;
}

/** The waiting handlers of one caller, the longest waiting first. */
interface Holding {
  readonly share: string;
  readonly waiting: Map<string, Waiting>;
  bytes: number;
}

/** What a waiting handler takes up besides its messages and results, roughly. */
const handlerBytes = 10 * 1024;

/** What happens to a waiting handler. */
interface SuspendedParts {
  readonly environment: RunEnvironment;
  readonly agent: Agent;
  /** Its task has changed, here or elsewhere: look whether it has an answer. The handler is still waiting. */
  readonly woken: (activation: Activation) => void;
}

/**
 * The handlers that wait for answers on this node, the longest waiting first. They are in memory and nothing else of
 * their tasks is. At most `maxSuspended` of them, with `maxSuspendedBytes`, each at most for `suspendForMs`: the others
 * are dropped, and begun again when their answers come. The caller that has the most is the first to lose one.
 */
export class Suspended {
  readonly #parts: SuspendedParts;
  readonly #waiting = new Map<string, Waiting>();
  readonly #holdings = new Map<string, Holding>();
  readonly #byCount = new Heaviest<Holding>();
  readonly #byBytes = new Heaviest<Holding>();
  #bytes = 0;
  /** Tasks whose answer is on its way to the log: their handlers stay, also those that have yet to wait. */
  readonly #answered = new Map<string, Deferred<void>>();
  #cancelTimer: (() => void) | undefined;
  #cancelLook: (() => void) | undefined;
  #look: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: SuspendedParts) {
    this.#parts = parts;
  }

  add(activation: Activation): void {
    const { clock, bus, settings } = this.#parts.environment;
    const { taskId } = activation.identity;
    this.#drop(taskId);
    const subscription = bus.subscribe(taskId, (sequence) => {
      if (sequence > activation.lastSequence) this.wake(taskId);
    });
    const bytes = handlerBytes + activation.bytes;
    this.#keep(taskId, {
      activation,
      since: clock.now(),
      bytes,
      unsubscribe: () => subscription.stop(),
    });
    if (this.#waiting.size > settings.maxSuspended) this.#evictOne(this.#byCount);
    while (this.#bytes > settings.maxSuspendedBytes && this.#evictOne(this.#byBytes));
    this.#watchTime();
    this.#lookLater();
  }

  /** How many handlers wait, and how many bytes of messages and results with them. */
  get figures(): { readonly waiting: number; readonly bytes: number } {
    return { waiting: this.#waiting.size, bytes: this.#bytes };
  }

  /** The waiting handler of a task under an epoch. */
  find(taskId: string, epoch: number): Activation | undefined {
    const activation = this.#waiting.get(taskId)?.activation;
    return activation?.epoch === epoch ? activation : undefined;
  }

  /** Keeps a handler from eviction while its answer is written, whether it waits already or is about to. */
  pin(taskId: string): void {
    if (!this.#answered.has(taskId)) this.#answered.set(taskId, createDeferred());
  }

  /** The answer is written, or could not be. */
  unpin(taskId: string): void {
    const written = this.#answered.get(taskId);
    this.#answered.delete(taskId);
    written?.resolve();
    this.#watchTime();
  }

  /** Looks whether a handler has an answer. False when none waits for this task. */
  wake(taskId: string): boolean {
    const waiting = this.#waiting.get(taskId);
    if (waiting !== undefined) this.#parts.woken(waiting.activation);
    return waiting !== undefined;
  }

  /** Ends the wait of a handler. False when it does not wait, or another handler does in its place. */
  remove(activation: Activation): boolean {
    const { taskId } = activation.identity;
    const isWaiting = this.#waiting.get(taskId)?.activation === activation;
    if (isWaiting) this.#drop(taskId);
    return isWaiting;
  }

  /**
   * Drops all handlers, save those whose answers are being written: the log will say that this node took them up.
   * The tasks of the others wait in the store. Resolves when those answers are written.
   */
  async clear(): Promise<void> {
    this.#isClosed = true;
    this.#cancelLook?.();
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (const [taskId, { activation }] of this.#waiting) {
      if (!this.#answered.has(taskId)) this.#evict(activation, "is stopping");
    }
    await Promise.all(Array.from(this.#answered.values(), ({ promise }) => promise));
    await this.#look;
  }

  #keep(taskId: string, waiting: Waiting): void {
    const { share } = waiting.activation;
    let holding = this.#holdings.get(share);
    if (holding === undefined) {
      this.#holdings.set(share, (holding = { share, waiting: new Map(), bytes: 0 }));
    }
    this.#waiting.set(taskId, waiting);
    holding.waiting.set(taskId, waiting);
    this.#count(holding, 1, waiting.bytes);
  }

  #drop(taskId: string): void {
    const waiting = this.#waiting.get(taskId);
    if (waiting === undefined) return;
    this.#waiting.delete(taskId);
    const holding = this.#holdings.get(waiting.activation.share);
    if (holding?.waiting.delete(taskId) === true) this.#count(holding, -1, -waiting.bytes);
    waiting.unsubscribe();
    waiting.unsubscribe = () => undefined;
  }

  #evict(activation: Activation, cause: string): void {
    this.remove(activation);
    activation.leave(
      new Error(`this node ${cause}; the handler is begun again when its answer comes`),
    );
  }

  /** A caller has one handler more here, or one less. */
  #count(holding: Holding, change: 1 | -1, bytes: number): void {
    const { size } = holding.waiting;
    this.#bytes += bytes;
    holding.bytes += bytes;
    this.#byCount.move(holding, size - change, size);
    this.#byBytes.move(holding, holding.bytes - bytes, holding.bytes);
    if (size === 0) this.#holdings.delete(holding.share);
  }

  /** Evicts the oldest handler of the caller that has the most. False when all of them are being answered. */
  #evictOne(callers: Heaviest<Holding>): boolean {
    for (const { waiting } of callers) {
      const oldest = this.#oldest(waiting);
      if (oldest === undefined) continue;
      this.#evict(oldest.activation, "holds too many waiting handlers");
      return true;
    }
    return false;
  }

  /** The handler that has waited the longest and is not being answered. */
  #oldest(among: ReadonlyMap<string, Waiting> = this.#waiting): Waiting | undefined {
    for (const [taskId, waiting] of among) {
      if (!this.#answered.has(taskId)) return waiting;
    }
    return undefined;
  }

  /** Sets a timer for the handler that has waited the longest. */
  #watchTime(): void {
    if (this.#cancelTimer !== undefined) return;
    const oldest = this.#oldest();
    if (oldest === undefined) return;
    const { clock, settings } = this.#parts.environment;
    const pauseMs = oldest.since + settings.suspendForMs - clock.now();
    this.#cancelTimer = clock.after(Math.min(Math.max(pauseMs, 0), longestPauseMs), () => {
      this.#cancelTimer = undefined;
      this.#evictLate();
      this.#watchTime();
    });
  }

  /** Looks for answers after a pause, and again for as long as handlers wait. */
  #lookLater(): void {
    if (this.#cancelLook !== undefined || this.#isClosed || this.#waiting.size === 0) return;
    const { clock, settings } = this.#parts.environment;
    const pauseMs = Math.max(settings.takeUpMs / looks, minLookMs);
    this.#cancelLook = clock.after(pauseMs, () => {
      this.#look = this.#lookForAnswers().finally(() => {
        this.#cancelLook = undefined;
        this.#lookLater();
      });
    });
  }

  async #lookForAnswers(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const { environment, agent } = this.#parts;
    const { store, node, report } = environment;
    try {
      for (const taskId of await store.listHeld(agent.name, node)) this.wake(taskId);
    } catch (error) {
      report(error, "look for answers");
    }
  }

  #evictLate(): void {
    const { clock, settings } = this.#parts.environment;
    const latest = clock.now() - settings.suspendForMs;
    for (const [taskId, { activation, since }] of this.#waiting) {
      if (since > latest) return;
      if (!this.#answered.has(taskId))
        this.#evict(activation, "has held the waiting handler for long enough");
    }
  }
}
