/** Cuts what takes too long. All of it may take equally long, so that one timer, for the oldest, is enough. */
export class RequestTimer {
  readonly #afterMs: number;
  /** When each is due, the oldest first. */
  readonly #due = new Map<() => void, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  start(cut: () => void): void {
    this.#due.set(cut, performance.now() + this.#afterMs);
    if (this.#timer === undefined) this.#wake(this.#afterMs);
  }

  stop(cut: () => void): void {
    this.#due.delete(cut);
  }

  #wake(afterMs: number): void {
    this.#timer = setTimeout(() => this.#cutOverdue(), afterMs).unref();
  }

  #cutOverdue(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [cut, due] of this.#due) {
      if (due > now) {
        return this.#wake(Math.ceil(due - now));
      }
      this.#due.delete(cut);
      cut();
    }
  }
}
