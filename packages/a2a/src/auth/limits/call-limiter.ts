import { A2AError } from "../../protocol/internal.js";
import { addressGroup } from "./address-group.js";
import { TokenBuckets } from "./token-buckets.js";
import type { Rate } from "./token-buckets.js";

/** The limits of one caller. An absent limit does not apply. */
export interface CallerLimits {
  readonly requests?: Rate;
  readonly concurrentStreams?: number;
}

/** How often callers may call, and how many streams they may hold open. */
export interface CallLimits {
  /** Limits of each known caller, from all its addresses. */
  readonly perPrincipal?: CallerLimits;
  /**
   * Limits of each address, for all its callers, failed attempts included. Needs a server that knows
   * addresses.
   */
  readonly perAddress?: CallerLimits;
}

export interface CallLimiterOptions {
  /** How many principals, and how many addresses, are counted at the same time; 10,000 when absent. */
  readonly maxCallers?: number;
  readonly now?: () => number;
  /**
   * How many nodes share the limits at this moment; 1 when absent. Each node grants its part and knows nothing of the calls
   * at the others, so the limits are approximate: a caller whose calls all reach one node gets that node's part.
   */
  readonly liveNodes?: () => number;
}

/** A caller as limits see it. */
export interface LimitedCaller {
  readonly subject?: string | undefined;
  readonly address?: string | undefined;
}

/**
 * Counts the calls and the open streams of callers. Refuses calls and streams beyond the limits with
 * `RESOURCE_EXHAUSTED` and the time after which the caller may try again.
 */
export class CallLimiter {
  readonly #limits: CallLimits;
  readonly #liveNodes: () => number;
  readonly #byPrincipal: TokenBuckets | undefined;
  readonly #byAddress: TokenBuckets | undefined;
  /** The number of open streams by caller, without callers that have none. */
  readonly #streams = new Map<string, number>();

  constructor(limits: CallLimits, options: CallLimiterOptions = {}) {
    const { maxCallers: maxKeys = 10_000, now = () => performance.now() } = options;
    const { liveNodes = () => 1 } = options;
    const bucketsOf = (caller: CallerLimits | undefined): TokenBuckets | undefined =>
      caller?.requests && new TokenBuckets(caller.requests, { maxKeys, now, liveNodes });
    this.#limits = limits;
    this.#liveNodes = liveNodes;
    this.#byPrincipal = bucketsOf(limits.perPrincipal);
    this.#byAddress = bucketsOf(limits.perAddress);
  }

  /** Counts an attempt to call, before the caller is authenticated. */
  admitAddress(address: string | undefined): void {
    if (address === undefined) return;
    refuseIfLate(this.#byAddress?.take(addressGroup(address)), "this address");
  }

  /** Counts a call of a known caller. */
  admitPrincipal(subject: string | undefined): void {
    if (subject === undefined) return;
    refuseIfLate(this.#byPrincipal?.take(subject), "you");
  }

  /** Counts a stream until the returned function is called. */
  openStream({ subject, address }: LimitedCaller): () => void {
    const { perPrincipal, perAddress } = this.#limits;
    const counted = [
      { key: subject && `subject:${subject}`, most: perPrincipal?.concurrentStreams },
      {
        key: address && `address:${addressGroup(address)}`,
        most: perAddress?.concurrentStreams,
      },
    ].flatMap(({ key, most }) =>
      key === undefined || most === undefined ? [] : [{ key, most: this.#partOf(most) }],
    );
    for (const { key, most } of counted) {
      if ((this.#streams.get(key) ?? 0) < most) continue;
      const message = `you have ${most} streams open here, which is the limit; close one and try again`;
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

  /** This node's part of a number of streams: one at least, unless none are allowed. */
  #partOf(most: number): number {
    return Math.min(most, Math.max(1, Math.floor(most / this.#liveNodes())));
  }

  /** How many callers are being counted; bounded. */
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
