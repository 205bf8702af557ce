/** How many calls may come at once, and how many a second from then on. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface TokenBucketsOptions {
  readonly maxKeys: number;
  readonly now: () => number;
  /** How many nodes give tokens of the same rate; each gives its part. 1 when absent. */
  readonly liveNodes?: () => number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** How many of the least recently used buckets are examined to make room for a new one. */
const maxLookedAt = 8;

/**
 * Token buckets by key, for a bounded number of keys. A bucket that is full again can be forgotten without
 * loss. When there is none, new keys share one bucket, so that a caller with many keys gains neither calls
 * nor memory.
 */
export class TokenBuckets {
  readonly #rate: Rate;
  readonly #maxKeys: number;
  readonly #now: () => number;
  readonly #liveNodes: () => number;
  /** Least recently used first. */
  readonly #buckets = new Map<string, Bucket>();
  readonly #shared: Bucket;

  constructor(rate: Rate, { maxKeys, now, liveNodes = () => 1 }: TokenBucketsOptions) {
    const isValid = rate.perSecond > 0 && rate.burst >= 1;
    if (!isValid) throw new Error("a rate needs perSecond above 0 and a burst of at least 1");
    this.#rate = rate;
    this.#maxKeys = maxKeys;
    this.#now = now;
    this.#liveNodes = liveNodes;
    this.#shared = { tokens: rate.burst, at: now() };
  }

  /** Takes a token and returns 0, or returns the milliseconds until there is a token again. */
  take(key: string): number {
    const { perSecond } = this.#part();
    const bucket = this.#bucketOf(key);
    this.#fill(bucket);
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return 0;
    }
    return ((1 - bucket.tokens) * 1000) / perSecond;
  }

  get size(): number {
    return this.#buckets.size;
  }

  #bucketOf(key: string): Bucket {
    const known = this.#buckets.get(key);
    if (known !== undefined) {
      this.#buckets.delete(key);
      this.#buckets.set(key, known);
      return known;
    }
    if (this.#buckets.size >= this.#maxKeys && !this.#makeRoom()) return this.#shared;
    const bucket = { tokens: this.#part().burst, at: this.#now() };
    this.#buckets.set(key, bucket);
    return bucket;
  }

  #makeRoom(): boolean {
    const { burst } = this.#part();
    let looked = 0;
    for (const [key, bucket] of this.#buckets) {
      this.#fill(bucket);
      if (bucket.tokens >= burst) return this.#buckets.delete(key);
      looked += 1;
      if (looked >= maxLookedAt) break;
    }
    return false;
  }

  #fill(bucket: Bucket): void {
    const now = this.#now();
    const { perSecond, burst } = this.#part();
    const gained = (Math.max(0, now - bucket.at) * perSecond) / 1000;
    bucket.tokens = Math.min(burst, bucket.tokens + gained);
    bucket.at = now;
  }

  /** This node's part of the rate. One call at a time is the least that a rate can mean. */
  #part(): Rate {
    const nodes = this.#liveNodes();
    if (nodes <= 1) return this.#rate;
    const { perSecond, burst } = this.#rate;
    return { perSecond: perSecond / nodes, burst: Math.max(1, burst / nodes) };
  }
}
