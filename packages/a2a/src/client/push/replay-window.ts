/**
 * Remembers which signatures were seen while they are valid. Holds so many at most: what it has to forget
 * early, it makes up for by taking nothing that is as old. A sender signs every attempt anew, so what is
 * turned away for that comes again.
 */
export class ReplayWindow {
  readonly #maxRemembered: number;
  readonly #issuedAt = new Map<string, number>();
  #floor = -Infinity;

  constructor(maxRemembered: number) {
    this.#maxRemembered = maxRemembered;
  }

  /**
   * Takes a signature that was not taken before; false for one that was, or that may have been. Those
   * issued before `expiredAt` are no longer valid and need not be remembered. Times are in seconds.
   */
  take(id: string, issuedAt: number, expiredAt: number): boolean {
    if (issuedAt <= this.#floor || this.#issuedAt.has(id)) return false;
    for (const [known, at] of this.#issuedAt) {
      const isFull = this.#issuedAt.size >= this.#maxRemembered;
      if (at >= expiredAt && !isFull) break;
      this.#issuedAt.delete(known);
      if (at >= expiredAt) this.#floor = Math.max(this.#floor, at);
    }
    this.#issuedAt.set(id, issuedAt);
    return true;
  }
}
