import { Departure } from "../../async/internal.js";
import type { CallContext, EventIterator, StreamEvent } from "../../protocol/internal.js";

/** Where the events of a stream come from. Asked for one at a time. */
export interface StreamSource {
  /** The next event; `undefined` when there is none any more. */
  next(): Promise<StreamEvent | undefined>;
  /** The next event if it is there already. Not asked while a `next` is under way. */
  take?(): StreamEvent | undefined;
  release(): void;
}

/** The source of a stream of one event. */
export function streamOf(event: StreamEvent): StreamSource {
  let left: StreamEvent | undefined = event;
  return {
    async next() {
      const next = left;
      left = undefined;
      return next;
    },
    release: () => undefined,
  };
}

/**
 * A stream that can be left at any moment: leaving ends the wait for the next event. It begins with the
 * first read, holds nothing of what it has passed on, and does little per event, since many may watch.
 */
export function openStream(
  call: CallContext,
  open: (leaving: Departure) => Promise<StreamSource>,
  forCallers: (error: unknown) => Error,
): EventIterator & AsyncIterableIterator<StreamEvent> {
  const leaving = new Departure(call.signal);
  let hasReturned = false;
  let source: StreamSource | undefined;
  let isOver = false;
  /** The last of the reads under way; most readers have one at a time. */
  let reading: Promise<IteratorResult<StreamEvent, undefined>> | undefined;
  let reads = 0;

  const end = (): void => {
    isOver = true;
    leaving.end();
    source?.release();
    source = undefined;
  };
  const read = async (): Promise<IteratorResult<StreamEvent, undefined>> => {
    try {
      if (!isOver) source ??= await open(leaving);
      const value = await source?.next();
      if (value !== undefined) return { done: false, value };
      end();
    } catch (error) {
      end();
      // Who left does not hear what comes of it.
      if (!hasReturned) throw forCallers(error);
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
      leaving.leave();
      await reading?.catch(() => undefined);
      end();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
