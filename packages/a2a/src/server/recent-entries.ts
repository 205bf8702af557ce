interface Sequenced {
  readonly sequence: number;
}

const maxEntries = 1024;

/** The latest entries of a log, so that watchers who keep up never read the store. Bounded. */
export class RecentEntries<T extends Sequenced> {
  #entries: T[] = [];
  /** Everything after this is here. */
  #after = 0;
  #isEmpty = true;

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Nothing up to a sequence is kept; what follows will be. */
  startAfter(sequence: number): void {
    this.#after = sequence;
    this.#isEmpty = false;
  }

  push(entry: T): void {
    this.#entries.push(entry);
    this.#isEmpty = false;
    if (this.#entries.length <= 2 * maxEntries) return;
    this.#entries = this.#entries.slice(-maxEntries);
    this.#after = (this.#entries[0]?.sequence ?? 1) - 1;
  }

  /** The entries after a sequence, or `undefined` when some of them are no longer here. */
  after(sequence: number): readonly T[] | undefined {
    if (sequence < this.#after) return undefined;
    const first = this.#entries[0]?.sequence ?? sequence + 1;
    return this.#entries.slice(Math.max(0, sequence + 1 - first));
  }
}
