/** How many hosts are remembered as slow. */
const maxSlow = 1000;

/**
 * Counts the queues under way per host. A host that was slow to fail gets one queue at a time until it answers
 * again, so that dead receivers take little from the others.
 */
export class HostSlots {
  readonly #underWay = new Map<string, number>();
  readonly #slow = new Set<string>();

  take(host: string): void {
    this.#underWay.set(host, (this.#underWay.get(host) ?? 0) + 1);
  }

  release(host: string): void {
    const count = (this.#underWay.get(host) ?? 0) - 1;
    if (count > 0) this.#underWay.set(host, count);
    else this.#underWay.delete(host);
  }

  slowDown(host: string): void {
    this.#slow.delete(host);
    this.#slow.add(host);
    for (const first of this.#slow) {
      if (this.#slow.size <= maxSlow) break;
      this.#slow.delete(first);
    }
  }

  speedUp(host: string): void {
    this.#slow.delete(host);
  }

  /** How many slots each host has taken. For a slow host all but one slot count as taken. */
  taken(perHost: number): Map<string, number> {
    const taken = new Map(this.#underWay);
    for (const host of this.#slow) taken.set(host, (taken.get(host) ?? 0) + perHost - 1);
    return taken;
  }
}
