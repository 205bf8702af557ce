interface CachedCard {
  readonly document: unknown;
  readonly etag?: string;
  readonly cachedAt: number;
  /** How long the server says that the card is fresh; absent when it says nothing. */
  readonly maxAgeMs?: number;
}

const maxCards = 100;

/** Keeps a bounded number of cards, each for as long as its server allows, with its ETag for revalidation. */
export class CardCache {
  readonly #cards = new Map<string, CachedCard>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A card that was kept, and whether it is fresh: for `ttlMs` if its server does not say. */
  get(url: string, ttlMs = 0): (CachedCard & { readonly isFresh: boolean }) | undefined {
    const card = this.#cards.get(url);
    return card && { ...card, isFresh: card.cachedAt + (card.maxAgeMs ?? ttlMs) > this.#now() };
  }

  set(url: string, document: unknown, { headers }: Response): void {
    const control = headers.get("cache-control") ?? "";
    if (/\bno-store\b/.test(control)) return;
    const isSilent = control === "" && !headers.has("expires");
    const seconds = /\bno-cache\b/.test(control)
      ? 0
      : Number(/max-age=(\d+)/.exec(control)?.[1] ?? 0);
    const etag = headers.get("etag") ?? undefined;
    this.#cards.delete(url);
    this.#cards.set(url, {
      document,
      cachedAt: this.#now(),
      ...(!isSilent && { maxAgeMs: seconds * 1000 }),
      ...(etag !== undefined && { etag }),
    });
    const [oldest] = this.#cards.keys();
    if (this.#cards.size > maxCards && oldest !== undefined) this.#cards.delete(oldest);
  }
}
