/** Negative when `left` comes first. Two different items must never compare as equal. */
export type Compare<Item> = (left: Item, right: Item) => number;

/**
 * A sorted array with binary search. Adding and removing move the items after the place, which is cheap as long
 * as changes happen near the end, where the latest items are.
 */
export class SortedList<Item> {
  readonly #items: Item[] = [];
  readonly #compare: Compare<Item>;

  constructor(compare: Compare<Item>) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  at(index: number): Item | undefined {
    return this.#items[index];
  }

  add(item: Item): void {
    const index = this.countBefore((other) => this.#compare(other, item) < 0);
    this.#items.splice(index, 0, item);
  }

  /** The item must compare as it did when it was added. */
  remove(item: Item): void {
    const index = this.countBefore((other) => this.#compare(other, item) < 0);
    if (this.#items[index] === item) this.#items.splice(index, 1);
  }

  /** How many items fulfil a condition that holds for the first items and for no others. */
  countBefore(isBefore: (item: Item) => boolean): number {
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = this.#items[middle];
      if (item !== undefined && isBefore(item)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  slice(start: number, end?: number): Item[] {
    return this.#items.slice(start, end);
  }
}

/** Compares by UTF-16 code unit, which unlike `localeCompare` is the same everywhere. */
export function compareStrings(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
