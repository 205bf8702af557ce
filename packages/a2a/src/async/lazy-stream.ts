import { LightSignal } from "./signal.js";

/** Somebody who reads on when there is something to read. */
export interface Reader {
  /** Called from within whatever has made it happen: note it, and read later. */
  wake(): void;
}

/** Where a stream gets its values from. */
export interface StreamSource<T> {
  /** The next value if it is here. Throws, from then on, what the stream has failed with. */
  take(): T | undefined;
  /** Whether nothing comes any more. */
  readonly isOver: boolean;
  /**
   * Wakes a reader once: when there is a value to take, or the stream has ended or failed. There is one reader at a
   * time; a further one replaces it.
   */
  onReady(reader: Reader): void;
  /** Called once, when the stream has ended, failed or been left. Nobody is woken any more. */
  release(): void;
}

/** A source of a single value. */
export function sourceOf<T>(value: T): StreamSource<T> {
  let rest: T | undefined = value;
  return {
    take() {
      const next = rest;
      rest = undefined;
      return next;
    },
    get isOver() {
      return rest === undefined;
    },
    onReady: (reader) => reader.wake(),
    release: () => undefined,
  };
}

interface LazyStreamOptions<T> {
  readonly signal: AbortSignal | undefined;
  readonly open: (signal: LightSignal) => Promise<StreamSource<T>>;
  /** Turns an error of the source into the one that the reader sees. */
  readonly toError: (error: unknown) => Error;
}

/**
 * A stream that opens its source with the first read and that its reader can leave at any moment. Leaving
 * (`return`, or the caller's signal) aborts the signal that `open` was given, which ends a pending read; a
 * generator would make the reader wait for the next value first. The stream keeps none of its values, and
 * a reader that waits in `onReady` costs no promise, because thousands of readers may watch at once.
 */
export class LazyStream<T> implements AsyncIterableIterator<T, undefined> {
  readonly #signal: LightSignal;
  readonly #toError: (error: unknown) => Error;
  #open: LazyStreamOptions<T>["open"] | undefined;
  #opening: Promise<StreamSource<T>> | undefined;
  #source: StreamSource<T> | undefined;
  #isOver = false;
  #hasReturned = false;
  /** The last of the pending reads. Most readers have one at a time. */
  #reading: Promise<IteratorResult<T, undefined>> | undefined;
  #reads = 0;

  constructor({ signal, open, toError }: LazyStreamOptions<T>) {
    this.#signal = new LightSignal(signal);
    this.#open = open;
    this.#toError = toError;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    this.#reads += 1;
    const before = this.#reading;
    const reading = before === undefined ? this.#read() : this.#readAfter(before);
    // A value that was here has been read by now.
    this.#reading = this.#reads === 0 ? undefined : reading;
    return reading;
  }

  /** The next value if it is already here. `undefined` while a `next` is pending. */
  take(): T | undefined {
    if (this.#reading !== undefined) return undefined;
    try {
      return this.#source?.take();
    } catch {
      // The next `next` throws it again.
      return undefined;
    }
  }

  /** Whether nothing comes after what has been taken. */
  get isOver(): boolean {
    return this.#isOver || this.#source?.isOver === true;
  }

  /**
   * Wakes the reader once: when there is a value to take, or when `next` tells at once how the stream has ended. Must
   * not be called while a `next` is pending.
   */
  onReady(reader: Reader): void {
    if (this.#isOver) reader.wake();
    else if (this.#source !== undefined) this.#source.onReady(reader);
    else
      this.#openSource().then(
        (source) => source.onReady(reader),
        () => reader.wake(),
      );
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#hasReturned = true;
    this.#signal.abort();
    await Promise.allSettled([this.#reading, this.#opening]);
    this.#end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #readAfter(before: Promise<unknown>): Promise<IteratorResult<T, undefined>> {
    const read = (): Promise<IteratorResult<T, undefined>> => this.#read();
    return before.then(read, read);
  }

  async #read(): Promise<IteratorResult<T, undefined>> {
    try {
      while (!this.#isOver) {
        const source = this.#source ?? (await this.#openSource());
        const value = source.take();
        if (value !== undefined) return { done: false, value };
        if (source.isOver) break;
        await new Promise<void>((wake) => source.onReady({ wake }));
      }
      this.#end();
    } catch (error) {
      this.#end();
      // A reader that has called `return` gets a normal end instead of the error.
      if (!this.#hasReturned) throw this.#toError(error);
    } finally {
      this.#reads -= 1;
      if (this.#reads === 0) this.#reading = undefined;
    }
    return { done: true, value: undefined };
  }

  /** Opens the source, only once. Lets go of what it was opened with. */
  #openSource(): Promise<StreamSource<T>> {
    const open = this.#open;
    this.#open = undefined;
    if (open !== undefined) {
      this.#opening = open(this.#signal).then((source) => {
        this.#opening = undefined;
        return (this.#source = source);
      });
    }
    return this.#opening ?? Promise.reject(new Error("the stream is over"));
  }

  #end(): void {
    this.#isOver = true;
    this.#signal.unfollow();
    this.#source?.release();
    this.#source = undefined;
  }
}
