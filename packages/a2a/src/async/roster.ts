/**
 * A set of members that join and leave all the time. A `Set` would be slower: each time it grows or shrinks it
 * leaves its former table to the garbage collector, and that table keeps every member reachable until the next
 * full collection.
 */
export class Roster<T> {
  /** Absent until there is a member: a list that begins with one has no spare room, as most rosters have only one. */
  #places: (T | undefined)[] | undefined;
  #free: number[] | undefined;

  /** Adds a member and returns its place. */
  add(member: T): number {
    if (this.#places === undefined) {
      this.#places = [member];
      return 0;
    }
    const place = this.#free?.pop() ?? this.#places.length;
    this.#places[place] = member;
    return place;
  }

  /** Call this exactly once per place: the place is reused for the next member. */
  remove(place: number): void {
    if (this.#places === undefined) return;
    this.#places[place] = undefined;
    (this.#free ??= []).push(place);
  }

  /** Takes out all members: their places are free. */
  takeAll(): T[] {
    const members = this.members();
    this.#places = this.#free = undefined;
    return members;
  }

  /** A copy of the current members, so that callers may add and remove while they iterate. */
  members(): T[] {
    return (this.#places ?? []).filter((member): member is T & {} => member !== undefined);
  }
}
