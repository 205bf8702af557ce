import type { HopPage } from "../../contract/index.js";
import type { Redactor } from "../../record/index.js";
import { notThere } from "../http/refusal.js";
import { BlockPool } from "./block-pool.js";
import type { Feed } from "./feed.js";
import { HopRecord } from "./hop-record.js";
import type { HopStart } from "./hop-record.js";

export interface RingLimits {
  readonly maxHops: number;
  readonly maxBytes: number;
}

const defaults: RingLimits = { maxHops: 10_000, maxBytes: 256 * 1024 * 1024 };

/** The latest exchanges; the oldest make room. */
export class HopRing {
  readonly #feed: Feed;
  readonly #limits: RingLimits;
  readonly #pool = new BlockPool();
  readonly #hops = new Map<number, HopRecord>();
  #bytes = 0;
  #last = 0;
  #dropped = 0;

  constructor(feed: Feed, limits: Partial<RingLimits> = {}) {
    this.#feed = feed;
    this.#limits = { ...defaults, ...limits };
  }

  begin(start: HopStart, redactor: () => Redactor): HopRecord {
    const id = (this.#last += 1);
    const grow = (bytes: number): void => {
      // A hop that has made room may go on, and counts no more.
      if (!this.#hops.has(id)) return;
      this.#bytes += bytes;
      this.#trim(id);
    };
    const pool = this.#pool;
    const record = new HopRecord(id, start, { feed: this.#feed, redactor, grow, pool });
    this.#hops.set(id, record);
    grow(record.bytes);
    return record;
  }

  get(id: number): HopRecord {
    const found = this.#hops.get(id);
    if (found === undefined) throw notThere(`hop ${id}; the oldest are dropped`);
    return found;
  }

  find(id: number): HopRecord | undefined {
    return this.#hops.get(id);
  }

  all(): readonly HopRecord[] {
    return [...this.#hops.values()];
  }

  list({
    after = 0,
    limit = 1000,
  }: {
    after?: number | undefined;
    limit?: number | undefined;
  }): HopPage {
    const later = this.all().filter(({ id }) => id > after);
    return { hops: later.slice(0, limit).map((one) => one.summary()), dropped: this.#dropped };
  }

  #trim(newest: number): void {
    const { maxHops, maxBytes } = this.#limits;
    if (this.#hops.size <= maxHops && this.#bytes <= maxBytes) return;
    for (const [id, record] of this.#hops) {
      if ((this.#hops.size <= maxHops && this.#bytes <= maxBytes) || id === newest) return;
      this.#hops.delete(id);
      this.#bytes -= record.bytes;
      record.drop();
      this.#dropped += 1;
    }
  }
}
