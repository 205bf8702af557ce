import { addressGroup, TokenBuckets } from "../../auth/internal.js";
import type { Rate } from "../../auth/internal.js";

/** How fast a receiver is called that has never answered. */
export const newReceiverRate: Rate = { perSecond: 1, burst: 8 };

/** How many names and addresses are counted, and how many are remembered as having answered. */
const maxReceivers = 10_000;

/** Thrown in the place of a request that would come too soon after others. */
export class TooSoon extends Error {
  readonly retryAfterMs: number;

  constructor({ perSecond }: Rate, waitMs: number) {
    const requests = `${perSecond} ${perSecond === 1 ? "request" : "requests"} a second`;
    super(`not sent: its host has never answered 2xx and gets ${requests} (push.newReceivers)`);
    this.name = "TooSoon";
    this.retryAfterMs = Math.ceil(waitMs);
  }
}

/**
 * Limits the requests to hosts that have never answered well, so that whoever registers many webhooks cannot make
 * the server flood somebody who takes no part in A2A. Counts the name of a host without its port, and the address
 * that a connection is opened to: many names may lead to one machine, and many machines may share a name.
 */
export class NewReceivers {
  readonly #rate: Rate;
  readonly #buckets: TokenBuckets;
  /** The one that answered least recently first. */
  readonly #answered = new Set<string>();

  constructor(rate: Rate, now: () => number) {
    this.#rate = rate;
    this.#buckets = new TokenBuckets(rate, { maxKeys: maxReceivers, now });
  }

  /** Counts a request to a name or an address. Throws `TooSoon` when there were too many. */
  admit(receiver: string): void {
    const key = keyOf(receiver);
    if (this.#answered.has(key)) return;
    const waitMs = this.#buckets.take(key);
    if (waitMs > 0) throw new TooSoon(this.#rate, waitMs);
  }

  /** No longer limits a name or an address. */
  answered(receiver: string): void {
    const key = keyOf(receiver);
    this.#answered.delete(key);
    this.#answered.add(key);
    if (this.#answered.size <= maxReceivers) return;
    for (const oldest of this.#answered) {
      this.#answered.delete(oldest);
      break;
    }
  }
}

function keyOf(receiver: string): string {
  return addressGroup(receiver.replace(/\.+$/, ""));
}
