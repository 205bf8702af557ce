/**
 * Those who are present, for where they come and go all the time. A `Set` would do but for the collector:
 * each time it makes room it leaves its former table behind, which keeps everyone in it, and the next
 * table, until all memory is gone through.
 */
export class Roster<T> {
  readonly #places: (T | undefined)[] = [];
  readonly #free: number[] = [];

  /** Takes in a member; the answer is its place. */
  add(member: T): number {
    const place = this.#free.pop() ?? this.#places.length;
    this.#places[place] = member;
    return place;
  }

  /** To be called once for each place. */
  remove(place: number): void {
    this.#places[place] = undefined;
    this.#free.push(place);
  }

  /** Everyone who is present now. */
  members(): T[] {
    return this.#places.filter((member): member is T & {} => member !== undefined);
  }
}
