interface Sequenced {
  readonly sequence: number;
}

const maxEntries = 256;

/** The latest 256 to 512 entries of a log, so that watchers who keep up never read the store. */
export class RecentEntries<T extends Sequenced> {
  #entries: T[] = [];
  /** Every entry after this sequence is here. */
  #after = 0;

  /** Begins after a sequence; call this before the first `push`. */
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
