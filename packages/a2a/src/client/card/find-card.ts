import { A2AError } from "../../protocol/internal.js";
import { isJsonObject, parseUrl } from "../../protocol/parse/internal.js";
import type { AgentCard, CallContext, ErrorCode, JsonObject } from "../../protocol/internal.js";
import { decodeAgentCard, versionParameter } from "../../wire/internal.js";
import type { CardPath } from "../../wire/internal.js";
import { unreachable, withText } from "../../binding/internal.js";
import { readText, withRetryAfter } from "../../http/internal.js";
import type { Fetch } from "../../http/internal.js";
import { attempt } from "../attempt.js";
import { CardCache } from "./card-cache.js";
import { retry } from "../calls/retry.js";
import type { RetryOptions } from "../calls/retry.js";
import { awaitAnswer } from "../calls/watched-stream.js";
import { pick } from "../pick.js";
import { refuseReference } from "../refuse-argument.js";

const sharedCache = new CardCache();

const paths: readonly CardPath[] = ["agent-card.json", "agent.json"];

/** A card, the document that it was read from, and the URL of the document. */
export interface FoundCard {
  readonly card: AgentCard;
  readonly document: unknown;
  readonly url?: string;
}

export interface FindCardOptions extends RetryOptions {
  readonly fetch: Fetch;
  /** A cache that all calls share when absent. */
  readonly cache?: CardCache;
  /** How long a card is fresh whose server says nothing about it; 0 when absent. */
  readonly cardTtlMs?: number | undefined;
  /** How long an answer may take. */
  readonly stallMs: number;
  readonly signal?: AbortSignal | undefined;
  /** 1 MiB when absent. */
  readonly maxCardBytes?: number | undefined;
}

/**
 * Finds the card of an agent by the agent's URL, its host, or the card's own URL: tries the well-known paths
 * below the URL and then at its root, the newer name first. Reads a document that is given in place of a URL.
 */
export async function findCard(
  given: string | URL | JsonObject,
  options: FindCardOptions,
): Promise<FoundCard> {
  const reference = given instanceof URL ? given.href : given;
  if (isJsonObject(reference)) return { card: readCard(reference), document: reference };
  const call = { version: "1.0", ...pick(options, "signal") } as CallContext;
  const tried: string[] = [];
  for (const { url, servedAt } of candidatesOf(reference)) {
    const fetchOnce = (one: CallContext): Promise<unknown> =>
      fetchCard(url, { ...options, ...one });
    const document = await retry(
      () => awaitAnswer(fetchOnce, { ...options, call, mayTakeTime: false }),
      () => true,
      options,
    );
    if (document !== undefined) {
      return { card: readCard(document, servedAt), document, url };
    }
    tried.push(url);
  }
  throw new A2AError("UNAVAILABLE", `there is no agent card at ${tried.join(" or ")}`, {
    details: { metadata: { reference } },
  });
}

/** Reads a document as a card of any version. */
function readCard(document: unknown, servedAt?: CardPath): AgentCard {
  try {
    return decodeAgentCard(document, servedAt === undefined ? {} : { servedAt });
  } catch (error) {
    if (!A2AError.is(error)) throw error;
    // A document that is nested very deeply can be read, but not written.
    throw withText(error, attempt(() => JSON.stringify(document)) ?? "");
  }
}

interface Candidate {
  readonly url: string;
  readonly servedAt: CardPath;
}

function candidatesOf(reference: string): readonly Candidate[] {
  if (typeof reference !== "string") throw refuseReference(reference);
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(reference) ? reference : defaultScheme(reference);
  const url = parseUrl(text);
  if (!/^https?:/i.test(text) || url === undefined) {
    throw refuseReference(reference);
  }
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
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/?]|$)/.test(host);
  return `${isLocal ? "http" : "https"}://${host}`;
}

const corsHint =
  "the browser does not say why; an agent of another origin has to allow the page (CORS)";

/** Whether CORS may be the reason of a failure. Browsers do not tell a page that another origin refuses it. */
function isCrossOrigin(url: string): boolean {
  const { origin } = globalThis.location ?? {};
  return origin !== undefined && origin !== new URL(url).origin;
}

const refusals: Readonly<Record<number, ErrorCode>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  429: "RESOURCE_EXHAUSTED",
};

/**
 * Fetches the document at a URL, or takes it from the cache while it is fresh; `undefined` where there is
 * none.
 */
async function fetchCard(
  url: string,
  { fetch, cache = sharedCache, cardTtlMs, signal, maxCardBytes = 1024 * 1024 }: FindCardOptions,
): Promise<unknown> {
  const known = cache.get(url, cardTtlMs);
  if (known?.isFresh === true) return known.document;
  const condition = known?.etag === undefined ? {} : { "If-None-Match": known.etag };
  const headers = { Accept: "application/json", [versionParameter]: "1.0", ...condition };
  const fail = (error: unknown): never => {
    throw unreachable(url, error, isCrossOrigin(url) ? corsHint : undefined);
  };
  const response = await fetch(url, { headers, signal: signal ?? null }).catch(fail);
  if (response.status === 304 && known !== undefined) {
    cache.set(url, known.document, response);
    return known.document;
  }
  if ([404, 405, 410].includes(response.status)) {
    await response.body?.cancel();
    return undefined;
  }
  const limit = { maxBytes: maxCardBytes, option: "maxCardBytes" };
  const text = await readText(response, limit).catch(fail);
  if (!response.ok) {
    const code = refusals[response.status] ?? "UNAVAILABLE";
    const help =
      code === "UNAUTHENTICATED" ? "; connect() takes a card that you fetch yourself" : "";
    const message = `${url} answered HTTP ${response.status}${help}`;
    throw withRetryAfter(new A2AError(code, message), response);
  }
  // Some servers answer every unknown path with a web page.
  const document = attempt(() => JSON.parse(text) as unknown);
  if (document !== undefined) cache.set(url, document, response);
  return document;
}
