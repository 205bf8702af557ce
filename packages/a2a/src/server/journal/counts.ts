/** Counts what a handler does by name: the second step "search". */
export class Counts {
  readonly #last = new Map<string, number>();

  next(name: string): number {
    const nth = (this.#last.get(name) ?? 0) + 1;
    this.#last.set(name, nth);
    return nth;
  }
}
