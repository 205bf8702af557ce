import { onAbort } from "../../async/internal.js";
import type { AnySignal, Clock } from "../../async/internal.js";
import { A2AError } from "../../protocol/internal.js";
import { leftEarly } from "../watch/watcher.js";

/** How many large reads wait for room, and how long. */
const maxWaiting = 256;
const maxWaitMs = 10_000;
const retryAfterSeconds = 5;

/** A value in memory that all who read it at the same time share. */
export interface Held<T> {
  readonly value: T;
  /** Releasing again does nothing. */
  readonly release: () => void;
}

/** A value and who reads it. Cleared with the last reader: hash tables may keep it longer. */
interface Shared<T> {
  held: Promise<Held<T>> | undefined;
  readers: number;
}

interface Reader {
  readonly caller: string;
  readonly bytes: number;
  readonly admit: () => void;
}

/**
 * The room that large reads take up in memory, from the load to the last byte of the answer. One caller gets half of
 * it. Reads that find no room wait in order, within bounds, and are refused after that. A read that needs more than
 * all of the room gets it when nobody else has any.
 */
export class LargeReads {
  readonly #maxBytes: number;
  readonly #clock: Clock;
  readonly #shared = new Map<string, Shared<unknown>>();
  readonly #usedBy = new Map<string, number>();
  #waiting: Reader[] = [];
  #used = 0;

  constructor({ maxBytes, clock }: { readonly maxBytes: number; readonly clock: Clock }) {
    this.#maxBytes = maxBytes;
    this.#clock = clock;
  }

  /** Takes room for a read of a caller. Resolves with what gives it back. */
  async reserve(caller: string, bytes: number, signal?: AnySignal): Promise<() => void> {
    const room = Math.min(bytes, this.#maxBytes);
    if (this.#waiting.length === 0 && this.#hasRoom(caller, room)) this.#take(caller, room);
    else await this.#wait(caller, room, signal);
    return once(() => {
      this.#take(caller, -room);
      this.#admit();
    });
  }

  /**
   * Takes room for a value and makes it, unless another reader has the value of this name already: then both share
   * it. The room is given back with the last reader.
   */
  async share<T>(name: string, { caller, bytes, load }: SharedRead<T>): Promise<Held<T>> {
    const known = this.#shared.get(name) as Shared<T> | undefined;
    const held = known?.held ?? this.#load({ caller, bytes, load });
    const shared: Shared<T> = known ?? { held, readers: 0 };
    if (known === undefined) this.#shared.set(name, shared);
    shared.readers += 1;
    const leave = once(() => {
      shared.readers -= 1;
      if (shared.readers > 0) return;
      shared.held = undefined;
      if (this.#shared.get(name) === shared) this.#shared.delete(name);
      held.then(({ release }) => release()).catch(() => undefined);
    });
    try {
      const { value } = await held;
      return { value, release: leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #load<T>({ caller, bytes, load }: SharedRead<T>): Promise<Held<T>> {
    const giveBack = await this.reserve(caller, bytes);
    try {
      const { value, release } = await load();
      return {
        value,
        release: () => {
          release();
          giveBack();
        },
      };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  #hasRoom(caller: string, bytes: number): boolean {
    return (
      this.#hasShare(caller, bytes) && (this.#used === 0 || this.#used + bytes <= this.#maxBytes)
    );
  }

  #hasShare(caller: string, bytes: number): boolean {
    const used = this.#usedBy.get(caller) ?? 0;
    return used === 0 || used + bytes <= this.#maxBytes / 2;
  }

  #take(caller: string, bytes: number): void {
    this.#used += bytes;
    const used = (this.#usedBy.get(caller) ?? 0) + bytes;
    if (used > 0) this.#usedBy.set(caller, used);
    else this.#usedBy.delete(caller);
  }

  #wait(caller: string, bytes: number, signal: AnySignal | undefined): Promise<void> {
    if (this.#waiting.length >= maxWaiting) return Promise.reject(this.#tooMany());
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        cancelTimer();
        stopListening?.();
        settle();
      };
      const leave = (error: A2AError): void => {
        this.#waiting = this.#waiting.filter((one) => one !== reader);
        end(() => reject(error));
        this.#admit();
      };
      const reader: Reader = { caller, bytes, admit: () => end(resolve) };
      const cancelTimer = this.#clock.after(maxWaitMs, () => leave(this.#tooMany()));
      const stopListening = signal && onAbort(signal, () => leave(leftEarly()));
      this.#waiting.push(reader);
      this.#admit();
    });
  }

  /** Takes room for those who wait, in order. One who has its share is passed over; one who needs more room is not. */
  #admit(): void {
    for (const reader of this.#waiting) {
      const { caller, bytes } = reader;
      if (!this.#hasShare(caller, bytes)) continue;
      if (!this.#hasRoom(caller, bytes)) return;
      this.#waiting = this.#waiting.filter((one) => one !== reader);
      this.#take(caller, bytes);
      reader.admit();
    }
  }

  #tooMany(): A2AError {
    const message =
      `large answers take up all of the ${this.#maxBytes} bytes that they may, or half of them for one caller; ` +
      "read those that are under way, ask for less, or ask again later";
    return new A2AError("RESOURCE_EXHAUSTED", message, { details: { retryAfterSeconds } });
  }
}

/** A read that others may share. */
interface SharedRead<T> {
  readonly caller: string;
  readonly bytes: number;
  readonly load: () => Promise<Held<T>>;
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}
