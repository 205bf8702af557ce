/** What a seed, or a list of choices, decides. */
export type ChoiceList = ReadonlyMap<string, number>;

interface Asked {
  readonly hash: number;
  count: number;
}

/**
 * Draws every choice of a run from one seed. A choice has a key that says what it is about, such as `n2/append/crash`,
 * and depends on nothing but the seed, the key, and how often that key was asked before: to leave one fault out
 * moves no other. 0 always is the tame one: no fault, the least delay, the first.
 */
export class Choices {
  readonly #seed: number;
  readonly #given: ChoiceList | undefined;
  readonly #asked = new Map<string, Asked>();
  /** The choices that are not 0: key, number and value of each. */
  readonly #made: (string | number)[] = [];

  /** With a list, all choices that are not in it are 0, whatever the seed. */
  constructor(seed: number, given?: ChoiceList) {
    this.#seed = mix(seed | 0, 0x9e3779b9);
    this.#given = given;
  }

  /** A whole number from 0 up to n, without n. */
  choose(key: string, n: number): number {
    return this.#take(key, (random) => random % n, n);
  }

  /** True in one case of so many. */
  chance(key: string, oneIn: number): boolean {
    return this.#take(key, (random) => (random % oneIn === oneIn - 1 ? 1 : 0), 2) === 1;
  }

  /** One of several; the first is the tame one. */
  pick<T>(key: string, values: readonly [T, ...T[]]): T {
    return values[this.choose(key, values.length)] ?? values[0];
  }

  /** The choices that are not 0, by key and number: they are the run. */
  get made(): ChoiceList {
    const made = new Map<string, number>();
    for (let index = 0; index < this.#made.length; index += 3) {
      made.set(`${this.#made[index]}#${this.#made[index + 1]}`, Number(this.#made[index + 2]));
    }
    return made;
  }

  /** Forgets callers that are gone: nothing asks for their choices again. A run this long is not made smaller. */
  forget(): void {
    for (const key of this.#asked.keys()) {
      if (key.startsWith("c") || key.startsWith("m-c")) this.#asked.delete(key);
    }
    this.#made.length = 0;
  }

  #take(key: string, draw: (random: number) => number, n: number): number {
    let asked = this.#asked.get(key);
    if (asked === undefined) {
      asked = { hash: hashText(key), count: 0 };
      this.#asked.set(key, asked);
    }
    asked.count += 1;
    const { hash, count } = asked;
    if (this.#given !== undefined) {
      const value = Math.min(this.#given.get(`${key}#${count}`) ?? 0, n - 1);
      if (value > 0) this.#made.push(key, count, value);
      return value;
    }
    const value = draw(mix(mix(this.#seed, hash), count));
    if (value > 0) this.#made.push(key, count, value);
    return value;
  }
}

/** A 32-bit hash of a text (FNV-1a). */
export function hashText(text: string, start = 0x811c9dc5): number {
  let hash = start;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Mixes two numbers so that each bit of the result depends on each bit of both. */
export function mix(one: number, other: number): number {
  let mixed = Math.imul(one ^ Math.imul(other, 0x85ebca6b), 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x27d4eb2f);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x165667b1);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
