/**
 * Remembers the signatures that were seen, while they are valid. When it is full it forgets the oldest, and
 * from then on refuses all signatures that are as old. A sender signs every attempt anew, so that a refused
 * notification comes again.
 */
export class ReplayWindow {
  readonly #maxRemembered: number;
  readonly #issuedAt = new Map<string, number>();
  #floor = -Infinity;

  constructor(maxRemembered: number) {
    this.#maxRemembered = maxRemembered;
  }

  /**
   * Takes a signature; false when it was taken before, or may have been. Signatures issued before `expiredAt`
   * are no longer valid and need not be remembered. Times are in seconds.
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
