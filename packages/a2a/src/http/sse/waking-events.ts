import type { EventIterator, StreamEvent } from "../../protocol/internal.js";

/** Events of which a reader can be woken. */
export type WakingEvents = EventIterator & Required<Pick<EventIterator, "take" | "onReady">>;

/** The events of any service, so that their reader can be woken. Those of our own runtime do that by themselves. */
export function wakingEvents(events: AsyncIterable<StreamEvent>): WakingEvents {
  const iterator: EventIterator = events[Symbol.asyncIterator]();
  return canWake(iterator) ? iterator : new AwaitedEvents(iterator);
}

function canWake(iterator: EventIterator): iterator is WakingEvents {
  return iterator.take !== undefined && iterator.onReady !== undefined;
}

/** Reads on when a reader wants to be woken, and keeps what was read until it is taken. */
class AwaitedEvents implements WakingEvents {
  readonly #iterator: EventIterator;
  #reading: Promise<IteratorResult<StreamEvent, undefined>> | undefined;
  /** What `#reading` has come to, if that is an event. */
  #event: StreamEvent | undefined;
  #reader: { wake(): void } | undefined;

  constructor(iterator: EventIterator) {
    this.#iterator = iterator;
  }

  take(): StreamEvent | undefined {
    const event = this.#event;
    if (event === undefined) {
      return this.#reading === undefined ? this.#iterator.take?.() : undefined;
    }
    this.#event = this.#reading = undefined;
    return event;
  }

  onReady(reader: { wake(): void }): void {
    this.#reader = reader;
    const isFirst = this.#reading === undefined;
    this.#reading ??= this.#iterator.next();
    const settle = (result?: IteratorResult<StreamEvent, undefined>): void => {
      if (isFirst) this.#event = result?.value;
      const woken = this.#reader;
      this.#reader = undefined;
      woken?.wake();
    };
    this.#reading.then(settle, () => settle());
  }

  next(): Promise<IteratorResult<StreamEvent, undefined>> {
    const reading = this.#reading ?? this.#iterator.next();
    this.#event = this.#reading = undefined;
    return reading;
  }

  async return(): Promise<IteratorResult<StreamEvent, undefined>> {
    this.#reader = undefined;
    return (await this.#iterator.return?.()) ?? { done: true, value: undefined };
  }
}
