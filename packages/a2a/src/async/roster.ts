/**
 * A set of members that join and leave all the time. A `Set` would be slower: each time it grows or shrinks it
 * leaves its former table to the garbage collector, and that table keeps every member reachable until the next
 * full collection.
 */
export class Roster<T> {
  readonly #places: (T | undefined)[] = [];
  readonly #free: number[] = [];

  /** Adds a member and returns its place. */
  add(member: T): number {
    const place = this.#free.pop() ?? this.#places.length;
    this.#places[place] = member;
    return place;
  }

  /** Call this exactly once per place: the place is reused for the next member. */
  remove(place: number): void {
    this.#places[place] = undefined;
    this.#free.push(place);
  }

  /** A copy of the current members, so that callers may add and remove while they iterate. */
  members(): T[] {
    return this.#places.filter((member): member is T & {} => member !== undefined);
  }
}
