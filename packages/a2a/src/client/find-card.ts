import { A2AError } from "../protocol/index.js";
import type { AgentCard } from "../protocol/index.js";
import { decodeAgentCard, versionParameter } from "../wire/index.js";
import type { CardPath } from "../wire/index.js";
import type { Fetch } from "../http/index.js";
import type { CardCache } from "./card-cache.js";

const paths: readonly CardPath[] = ["agent-card.json", "agent.json"];

/** A card, the document it was read from, and where that was. */
export interface FoundCard {
  readonly card: AgentCard;
  readonly document: unknown;
  readonly url?: string;
}

/**
 * The card of an agent, by its URL, its host, or the card's own URL. The well-known paths are tried
 * below the URL and then at its root, the newer name first.
 */
export async function findCard(
  reference: string,
  {
    fetch,
    cache,
    signal,
  }: { readonly fetch: Fetch; readonly cache: CardCache; readonly signal?: AbortSignal },
): Promise<FoundCard> {
  const candidates = candidatesOf(reference);
  const tried: string[] = [];
  for (const { url, servedAt } of candidates) {
    const document = await fetchCard(url, {
      fetch,
      cache,
      ...(signal !== undefined && { signal }),
    });
    if (document !== undefined)
      return { card: decodeAgentCard(document, { servedAt }), document, url };
    tried.push(url);
  }
  throw new A2AError("UNAVAILABLE", `there is no agent card at ${tried.join(" or ")}`, {
    details: { metadata: { reference } },
  });
}

interface Candidate {
  readonly url: string;
  readonly servedAt: CardPath;
}

function candidatesOf(reference: string): readonly Candidate[] {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(reference) ? reference : defaultScheme(reference);
  if (!URL.canParse(text)) {
    throw new A2AError("INVALID_PARAMS", `${JSON.stringify(reference)} is no URL and no host`);
  }
  const url = new URL(text);
  if (url.pathname.endsWith(".json")) {
    const servedAt = url.pathname.endsWith("/agent.json") ? "agent.json" : "agent-card.json";
    return [{ url: url.href, servedAt }];
  }
  const path = url.pathname.replace(/\/+$/, "");
  const bases = path === "" ? [url.origin] : [`${url.origin}${path}`, url.origin];
  return bases.flatMap((base) =>
    paths.map((servedAt) => ({ url: `${base}/.well-known/${servedAt}`, servedAt })),
  );
}

function defaultScheme(host: string): string {
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(host);
  return `${isLocal ? "http" : "https"}://${host}`;
}

/** The document at a URL, from the cache while it is fresh; `undefined` where there is none. */
async function fetchCard(
  url: string,
  {
    fetch,
    cache,
    signal,
  }: { readonly fetch: Fetch; readonly cache: CardCache; readonly signal?: AbortSignal },
): Promise<unknown> {
  const known = cache.get(url);
  if (known?.isFresh === true) return known.document;
  const headers = new Headers({ Accept: "application/json", [versionParameter]: "1.0" });
  if (known?.etag !== undefined) headers.set("If-None-Match", known.etag);
  const response = await fetch(url, { headers, ...(signal !== undefined && { signal }) }).catch(
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new A2AError("UNAVAILABLE", `${url} could not be reached: ${reason}`, { cause: error });
    },
  );
  if (response.status === 304 && known !== undefined) {
    cache.set(url, known.document, response);
    return known.document;
  }
  if (response.status === 404 || response.status === 405) return undefined;
  const text = await response.text();
  if (!response.ok) {
    const code = response.status === 401 ? "UNAUTHENTICATED" : "UNAVAILABLE";
    throw new A2AError(code, `${url} answered HTTP ${response.status}`);
  }
  try {
    const document: unknown = JSON.parse(text);
    cache.set(url, document, response);
    return document;
  } catch {
    // A web page where a card should be: some servers answer every path with one.
    return undefined;
  }
}
