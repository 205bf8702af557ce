/** Estimates the store's time from what the store said last. */
export class StoreClock {
  #ahead = 0;

  /** The store has just said that it is this time. */
  observe(at: number): void {
    this.#ahead = at - performance.now();
  }

  now(): number {
    return performance.now() + this.#ahead;
  }
}
