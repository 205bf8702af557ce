import { createDeferred } from "../async/internal.js";
import type { Deferred } from "../async/internal.js";
import type { Connection } from "./connection.js";

/** A place for one connection, which may not be open. */
export interface Slot {
  connection?: Connection | undefined;
}

/** How many connections there are, by what they do. */
export type ConnectionFigures = Readonly<Record<"used" | "idle" | "pending", number>>;

/** The connections of one purpose. Whoever asks first gets one first. */
export class LaneConnections {
  readonly #idle: Slot[];
  readonly #waiting: Deferred<Slot>[] = [];
  readonly #size: number;
  #closed: { readonly error: Error; readonly whenIdle: Deferred<void> } | undefined;

  constructor(size: number, first?: Connection) {
    this.#size = size;
    this.#idle = Array.from({ length: size }, (_, index) => ({
      connection: index === size - 1 ? first : undefined,
    }));
  }

  /** How many connections are in use, and how many are open and are not; how many wait for one. */
  get figures(): ConnectionFigures {
    const idle = this.#idle.filter(({ connection }) => connection !== undefined).length;
    return { used: this.#size - this.#idle.length, idle, pending: this.#waiting.length };
  }

  async use<Result>(work: (slot: Slot) => Promise<Result>): Promise<Result> {
    const slot = await this.#take();
    try {
      return await work(slot);
    } finally {
      this.#give(slot);
    }
  }

  /** Refuses those who wait, and closes the connections once nobody uses them. */
  async close(error: Error): Promise<void> {
    this.#closed ??= { error, whenIdle: createDeferred() };
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.#settle();
    await this.#closed.whenIdle.promise;
    await Promise.all(this.#idle.map(async ({ connection }) => connection?.close()));
  }

  async #take(): Promise<Slot> {
    if (this.#closed) throw this.#closed.error;
    // The one that was used last is the likeliest to be open.
    const slot = this.#idle.pop();
    if (slot) return slot;
    const turn = createDeferred<Slot>();
    this.#waiting.push(turn);
    return turn.promise;
  }

  #give(slot: Slot): void {
    const next = this.#waiting.shift();
    if (next) {
      next.resolve(slot);
      return;
    }
    this.#idle.push(slot);
    this.#settle();
  }

  #settle(): void {
    if (this.#idle.length === this.#size) this.#closed?.whenIdle.resolve();
  }
}
