import { A2AError } from "../protocol/internal.js";
import { addressGroup } from "./address-group.js";
import { TokenBuckets } from "./token-buckets.js";
import type { Rate } from "./token-buckets.js";

/** How much one caller may ask for. What is absent is not limited. */
export interface CallerLimits {
  readonly requests?: Rate;
  readonly concurrentStreams?: number;
}

/** How often callers may call, and how many streams they may hold open. */
export interface CallLimits {
  /** Of one who is known, wherever it calls from. */
  readonly perPrincipal?: CallerLimits;
  /** Of one address, whoever calls from there, failed attempts included. Needs a runtime that tells it. */
  readonly perAddress?: CallerLimits;
}

export interface CallLimiterOptions {
  /** Callers whose rates are remembered at the same time, of each kind. */
  readonly maxCallers?: number;
  readonly now?: () => number;
}

/** Who calls, as far as limits go. */
export interface LimitedCaller {
  readonly subject?: string | undefined;
  readonly address?: string | undefined;
}

/**
 * Counts the calls and the open streams of callers. What is beyond the limits is refused with
 * `RESOURCE_EXHAUSTED` and the time after which it makes sense to try again.
 */
export class CallLimiter {
  readonly #limits: CallLimits;
  readonly #byPrincipal: TokenBuckets | undefined;
  readonly #byAddress: TokenBuckets | undefined;
  /** Open streams by caller; who has none is not in it. */
  readonly #streams = new Map<string, number>();

  constructor(limits: CallLimits, options: CallLimiterOptions = {}) {
    const { maxCallers: maxKeys = 10_000, now = () => performance.now() } = options;
    const bucketsOf = (caller: CallerLimits | undefined): TokenBuckets | undefined =>
      caller?.requests && new TokenBuckets(caller.requests, { maxKeys, now });
    this.#limits = limits;
    this.#byPrincipal = bucketsOf(limits.perPrincipal);
    this.#byAddress = bucketsOf(limits.perAddress);
  }

  /** Counts an attempt to call, before it is known who calls. */
  admitAddress(address: string | undefined): void {
    if (address === undefined) return;
    refuseIfLate(this.#byAddress?.take(addressGroup(address)), "this address");
  }

  /** Counts the call of somebody who is known. */
  admitPrincipal(subject: string | undefined): void {
    if (subject === undefined) return;
    refuseIfLate(this.#byPrincipal?.take(subject), "you");
  }

  /** Counts a stream until the answered function is called. */
  openStream({ subject, address }: LimitedCaller): () => void {
    const { perPrincipal, perAddress } = this.#limits;
    const counted = [
      { key: subject && `subject:${subject}`, most: perPrincipal?.concurrentStreams },
      {
        key: address && `address:${addressGroup(address)}`,
        most: perAddress?.concurrentStreams,
      },
    ].flatMap(({ key, most }) => (key === undefined || most === undefined ? [] : [{ key, most }]));
    for (const { key, most } of counted) {
      if ((this.#streams.get(key) ?? 0) < most) continue;
      const message = `${most} streams are open at the same time already; close one`;
      throw new A2AError("RESOURCE_EXHAUSTED", message, { details: { retryAfterSeconds: 1 } });
    }
    for (const { key } of counted) this.#streams.set(key, (this.#streams.get(key) ?? 0) + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      for (const { key } of counted) {
        const left = (this.#streams.get(key) ?? 1) - 1;
        if (left === 0) this.#streams.delete(key);
        else this.#streams.set(key, left);
      }
    };
  }

  /** How many callers are remembered, which is bounded. */
  get size(): number {
    return (this.#byPrincipal?.size ?? 0) + (this.#byAddress?.size ?? 0) + this.#streams.size;
  }
}

function refuseIfLate(waitMs: number | undefined, who: string): void {
  if (waitMs === undefined || waitMs === 0) return;
  throw new A2AError("RESOURCE_EXHAUSTED", `too many calls from ${who}; try again later`, {
    details: { retryAfterSeconds: waitMs / 1000 },
  });
}
