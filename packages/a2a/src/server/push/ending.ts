/** Ends many things at once. An `AbortSignal` would warn of so many listeners. */
export class Ending {
  readonly #listeners = new Set<() => void>();
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  end(): void {
    this.#isOver = true;
    for (const listener of this.#listeners) listener();
  }

  /** Calls back when it is over, unless the returned function is called first. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
