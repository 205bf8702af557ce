import type { FeedItem } from "../../contract/index.js";
import { Refusal } from "../http/refusal.js";

type Unnumbered = FeedItem extends infer Item
  ? Item extends FeedItem
    ? Omit<Item, "number" | "at">
    : never
  : never;

/** How many items are kept for readers that come back, and how many bytes of them. */
const maxItems = 10_000;
const maxBytes = 64 * 1024 * 1024;

/** How long a reader may take to come back. */
const returnMs = 60_000;

/** How many readers there may be. */
const maxReaders = 32;

interface Kept {
  readonly item: FeedItem;
  readonly bytes: number;
}

/** Everything that happens, numbered, for readers that may come back. Keeps what is recent. */
export class Feed {
  readonly #now: () => number;
  readonly #kept: Kept[] = [];
  #bytes = 0;
  #last: number;
  #readers = 0;
  #wake = new Set<() => void>();
  #isClosed = false;
  /** When the last reader left, if there was one. */
  #leftAt: number | undefined;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    // Higher than all numbers of a backend that ran before, so that its readers notice.
    this.#last = now() * 1000;
  }

  get readers(): number {
    return this.#readers;
  }

  /** The number of the latest item. */
  get last(): number {
    return this.#last;
  }

  /** Whether somebody reads, or has read a moment ago and may come back. */
  get isRead(): boolean {
    if (this.#readers > 0) return true;
    return this.#leftAt !== undefined && this.#now() - this.#leftAt < returnMs;
  }

  /** Adds an item. Where nobody reads, nothing is kept: whoever comes finds a gap, and reads everything anew. */
  add(content: Unnumbered, bytes = 256): void {
    this.#last += 1;
    if (!this.isRead) {
      this.#kept.length = 0;
      this.#bytes = 0;
      return;
    }
    const item = { ...content, number: this.#last, at: this.#now() } as FeedItem;
    this.#kept.push({ item, bytes });
    this.#bytes += bytes;
    while (this.#kept.length > maxItems || (this.#bytes > maxBytes && this.#kept.length > 1)) {
      this.#bytes -= this.#kept.shift()?.bytes ?? 0;
    }
    const waiting = this.#wake;
    this.#wake = new Set();
    for (const wake of waiting) wake();
  }

  /** Reads on after a number, without end. Begins with a gap where what came next is no longer there. */
  read(after: number = this.#last): AsyncIterable<FeedItem> {
    if (this.#readers >= maxReaders) {
      throw new Refusal(429, "RESOURCE_EXHAUSTED", `there are ${maxReaders} readers already`, {
        hint: "Close other pages of the inspector.",
      });
    }
    this.#readers += 1;
    return { [Symbol.asyncIterator]: () => this.#follow(after) };
  }

  /** Ends all reading. */
  close(): void {
    this.#isClosed = true;
    for (const wake of this.#wake) wake();
  }

  #follow(start: number): AsyncIterator<FeedItem> {
    let after = start;
    let isOver = false;
    let wakeOwn: (() => void) | undefined;
    const leave = (): IteratorResult<FeedItem> => {
      if (!isOver) {
        this.#readers -= 1;
        this.#leftAt = this.#now();
      }
      isOver = true;
      wakeOwn?.();
      return { done: true, value: undefined };
    };
    return {
      next: async () => {
        for (;;) {
          if (isOver || this.#isClosed) return leave();
          const first = this.#kept[0]?.item.number ?? this.#last + 1;
          if (after < first - 1 || after > this.#last) {
            after = first - 1;
            const gap: FeedItem = { kind: "gap", number: after, at: this.#now() };
            return { done: false, value: gap };
          }
          const next = this.#kept[after + 1 - first];
          if (next !== undefined) {
            after += 1;
            return { done: false, value: next.item };
          }
          await new Promise<void>((resolve) => {
            wakeOwn = resolve;
            this.#wake.add(resolve);
          });
        }
      },
      return: () => Promise.resolve(leave()),
    };
  }
}
