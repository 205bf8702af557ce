/**
 * Finds who has the most, in steady time: members are sorted by the powers of two of what they have, so that nobody has
 * twice as much as the one that is found.
 */
export class Heaviest<T> {
  /** Those who have from 1, from 2, from 4 and so on, each in the order in which they came to it. */
  readonly #tiers: Set<T>[] = [];

  /** Somebody has gained or lost. */
  move(member: T, before: number, now: number): void {
    const [from, to] = [tierOf(before), tierOf(now)];
    if (from === to) return;
    this.#tiers[from]?.delete(member);
    if (to >= 0) this.#tier(to).add(member);
  }

  /** All members, those who have the most first. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (let tier = this.#tiers.length - 1; tier >= 0; tier -= 1) yield* this.#tier(tier);
  }

  #tier(number: number): Set<T> {
    while (this.#tiers.length <= number) this.#tiers.push(new Set());
    return this.#tiers[number] ?? new Set();
  }
}

/** -1 for those who have nothing. */
function tierOf(amount: number): number {
  return amount < 1 ? -1 : Math.floor(Math.log2(amount));
}
