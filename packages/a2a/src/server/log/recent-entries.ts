interface Sequenced {
  readonly sequence: number;
}

const maxEntries = 256;

/** The latest entries of a log, so that watchers who keep up never read the store. Bounded. */
export class RecentEntries<T extends Sequenced> {
  #entries: T[] = [];
  /** Everything after this is here. */
  #after = 0;

  /** Nothing up to a sequence is kept; what follows will be. */
  startAfter(sequence: number): void {
    this.#after = sequence;
  }

  /** Adds the entry that follows the last one. */
  push(entry: T): void {
    this.#entries.push(entry);
    if (this.#entries.length < 2 * maxEntries) return;
    this.#entries = this.#entries.slice(maxEntries);
    this.#after += maxEntries;
  }

  /** The entries after a sequence, or `undefined` when some of them are no longer here. */
  after(sequence: number, limit: number = Infinity): readonly T[] | undefined {
    if (sequence < this.#after) return undefined;
    const start = sequence - this.#after;
    return this.#entries.slice(start, start + limit);
  }
}
