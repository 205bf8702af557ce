/** Numbers from a seed. */
export interface Chance {
  /** A whole number from 0 to below the limit. */
  below(limit: number): number;
  /** True in this share of all cases. */
  is(share: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Numbers of their own for somebody else, so that nobody's order depends on another's. */
  fork(name: string): Chance;
}

/** The same seed gives the same numbers. */
export function chanceFrom(seed: number): Chance {
  let state = seed | 0;
  const below = (limit: number): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    below,
    is: (share) => below(1_000_000) < share * 1_000_000,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new Error("there is nothing to pick from");
      return items[below(items.length)] as T;
    },
    fork(name) {
      let mixed = seed | 0;
      for (const letter of name) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 0x01000193);
      return chanceFrom(mixed);
    },
  };
}
