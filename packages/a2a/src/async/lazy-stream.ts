import { LightSignal } from "./signal.js";

/** Where a stream gets its values from. The stream asks for one value at a time. */
export interface StreamSource<T> {
  /** The next value; `undefined` at the end of the stream. */
  next(): Promise<T | undefined>;
  /** The next value if it is already here. Not called while a `next` is pending. */
  take?(): T | undefined;
  /** Called once, when the stream has ended, failed or been left. */
  release(): void;
}

/** An iterator that can also be read without waiting. */
export interface LazyStream<T> extends AsyncIterableIterator<T, undefined> {
  /** The next value if it is already here. `undefined` while a `next` is pending. */
  readonly take: () => T | undefined;
  readonly return: () => Promise<IteratorResult<T, undefined>>;
}

/** A source of a single value. */
export function sourceOf<T>(value: T): StreamSource<T> {
  let rest: T | undefined = value;
  return {
    async next() {
      const next = rest;
      rest = undefined;
      return next;
    },
    release: () => undefined,
  };
}

/**
 * A stream that opens its source with the first read and that its reader can leave at any moment. Leaving
 * (`return`, or the caller's signal) aborts the signal that `open` was given, which ends a pending read; a
 * generator would make the reader wait for the next value first. The stream keeps none of its values, and
 * costs one promise and one result object per value, because thousands of readers may watch at once.
 */
export function openLazyStream<T>(options: {
  readonly signal: AbortSignal | undefined;
  readonly open: (signal: LightSignal) => Promise<StreamSource<T>>;
  /** Turns an error of the source into the one that the reader sees. */
  readonly toError: (error: unknown) => Error;
}): LazyStream<T> {
  const { open, toError } = options;
  const signal = new LightSignal(options.signal);
  let hasReturned = false;
  let source: StreamSource<T> | undefined;
  let isOver = false;
  /** The last of the pending reads. Most readers have one at a time. */
  let reading: Promise<IteratorResult<T, undefined>> | undefined;
  let reads = 0;

  const end = (): void => {
    isOver = true;
    signal.unfollow();
    source?.release();
    source = undefined;
  };
  const read = async (): Promise<IteratorResult<T, undefined>> => {
    try {
      if (!isOver) source ??= await open(signal);
      const value = await source?.next();
      if (value !== undefined) return { done: false, value };
      end();
    } catch (error) {
      end();
      // A reader that has called `return` gets a normal end instead of the error.
      if (!hasReturned) throw toError(error);
    } finally {
      reads -= 1;
      if (reads === 0) reading = undefined;
    }
    return { done: true, value: undefined };
  };
  return {
    next() {
      reads += 1;
      reading = reading === undefined ? read() : reading.then(read, read);
      return reading;
    },
    take: () => (reading === undefined ? source?.take?.() : undefined),
    async return() {
      hasReturned = true;
      signal.abort();
      await reading?.catch(() => undefined);
      end();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
