/** An iterator whose values may be here already, as those of `EventIterator` are. */
export interface ReadyIterator<T> extends AsyncIterator<T, undefined> {
  take?(): T | undefined;
  onReady?(reader: { wake(): void }): void;
  readonly isOver?: boolean;
  readonly isLarge?: boolean;
}

/** What is seen of an iterator. */
export interface IteratorObserver<T> {
  /** Calls the first read. */
  begin<R>(read: () => R): R;
  value(value: T): void;
  /** Called once: the iterator has ended, failed or been left. */
  over(error?: unknown): void;
}

/**
 * An iterator in front of an iterator, that lets somebody see what passes. To `take` a value costs one more call, and
 * no promise; to wait in `onReady` costs none either.
 */
export class ObservedIterator<T> implements AsyncIterableIterator<T, undefined>, ReadyIterator<T> {
  readonly #source: ReadyIterator<T>;
  readonly #observer: IteratorObserver<T>;
  readonly onReady?: (reader: { wake(): void }) => void;
  #isBegun = false;
  #isOver = false;

  constructor(source: AsyncIterable<T>, observer: IteratorObserver<T>) {
    this.#source = source[Symbol.asyncIterator]() as ReadyIterator<T>;
    this.#observer = observer;
    // Readers look whether it is there.
    if (this.#source.onReady !== undefined) {
      this.onReady = (reader) => this.#read(() => this.#source.onReady?.(reader));
    }
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return this.#read(() => this.#source.next()).then(
      (result) => {
        if (result.done === true) this.#end();
        else this.#observer.value(result.value);
        return result;
      },
      (error: unknown) => {
        this.#end(error);
        throw error;
      },
    );
  }

  take(): T | undefined {
    const value = this.#source.take?.();
    if (value !== undefined) this.#observer.value(value);
    return value;
  }

  get isOver(): boolean {
    return this.#source.isOver === true;
  }

  get isLarge(): boolean {
    return this.#source.isLarge === true;
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    try {
      await this.#source.return?.();
    } finally {
      this.#end();
    }
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #read<R>(read: () => R): R {
    if (this.#isBegun) return read();
    this.#isBegun = true;
    return this.#observer.begin(read);
  }

  #end(error?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#observer.over(error);
  }
}
