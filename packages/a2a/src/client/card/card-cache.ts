interface CachedCard {
  readonly document: unknown;
  readonly etag?: string;
  readonly freshUntil: number;
}

const maxCards = 100;

/** Keeps a bounded number of cards, each for as long as its server allows, with its ETag for revalidation. */
export class CardCache {
  readonly #cards = new Map<string, CachedCard>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get(url: string): (CachedCard & { readonly isFresh: boolean }) | undefined {
    const card = this.#cards.get(url);
    return card && { ...card, isFresh: card.freshUntil > this.#now() };
  }

  set(url: string, document: unknown, response: Response): void {
    const control = response.headers.get("cache-control") ?? "";
    if (/\bno-store\b/.test(control)) return;
    const seconds = /\bno-cache\b/.test(control)
      ? 0
      : Number(/max-age=(\d+)/.exec(control)?.[1] ?? 0);
    const etag = response.headers.get("etag") ?? undefined;
    this.#cards.delete(url);
    this.#cards.set(url, {
      document,
      freshUntil: this.#now() + seconds * 1000,
      ...(etag !== undefined && { etag }),
    });
    const [oldest] = this.#cards.keys();
    if (this.#cards.size > maxCards && oldest !== undefined) this.#cards.delete(oldest);
  }
}
