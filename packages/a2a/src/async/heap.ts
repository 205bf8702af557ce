/** Values of which the least comes out first. Those that are equal come out in no particular order. */
export class Heap<T> {
  readonly #isBefore: (one: T, other: T) => boolean;
  readonly #values: T[] = [];

  constructor(isBefore: (one: T, other: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#values.length;
  }

  /** The least value, which stays. */
  peek(): T | undefined {
    return this.#values[0];
  }

  push(value: T): void {
    const values = this.#values;
    let place = values.push(value) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!this.#isBefore(value, values[above]!)) break;
      values[place] = values[above]!;
      place = above;
    }
    values[place] = value;
  }

  /** Takes the least value. */
  pop(): T | undefined {
    const values = this.#values;
    const [least] = values;
    const last = values.pop();
    if (last === undefined || values.length === 0) return least;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= values.length) break;
      const right = below + 1;
      if (right < values.length && this.#isBefore(values[right]!, values[below]!)) below = right;
      if (!this.#isBefore(values[below]!, last)) break;
      values[place] = values[below]!;
      place = below;
    }
    values[place] = last;
    return least;
  }
}
