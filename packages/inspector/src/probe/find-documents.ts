import { decodeAgentCard } from "@parley/a2a/wire";
import { A2AError } from "@parley/a2a";
import type { AgentCard } from "@parley/a2a";
import { parseUrl } from "./parse-url.js";
import type { Fetch } from "@parley/a2a/client";

/** A place where a card may be, and what is there. */
export interface FetchedDocument {
  readonly url: string;
  readonly ms: number;
  /** The answer as it came. */
  readonly text?: string;
  /** Why there was no answer at all. */
  readonly failure?: string;
  readonly status?: number;
  readonly headers: Headers;
  readonly redirectedTo?: string;
  readonly bytes: number;
  /** The JSON of the answer, if it is JSON. */
  readonly document?: unknown;
  readonly card?: AgentCard;
  /** Why the JSON is not a card. */
  readonly problem?: string;
}

export interface FindDocumentsOptions {
  readonly fetch: Fetch;
  readonly timeoutMs: number;
}

/** The most bytes that a card may have. */
const maxCardBytes = 1024 * 1024;

const paths = ["/.well-known/agent-card.json", "/.well-known/agent.json"] as const;

/** Where a card may be, given an agent's host, its URL or the card's own URL. */
function cardPlaces(reference: string): readonly string[] {
  const url = parseUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(reference) ? reference : schemed(reference));
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const expected = "expected a host, a URL with http or https, or a file with a card";
    const message = `${JSON.stringify(reference)} names no agent; ${expected}`;
    throw new A2AError("INVALID_PARAMS", message);
  }
  const isCard = url.pathname.endsWith(".json");
  const path = (
    isCard ? url.pathname.replace(/(\/\.well-known)?\/[^/]*$/, "") : url.pathname
  ).replace(/\/+$/, "");
  const bases = new Set([`${url.origin}${path}`, url.origin]);
  const wellKnown = [...bases].flatMap((base) => paths.map((one) => `${base}${one}`));
  return [...new Set([...(isCard ? [url.href] : []), ...wellKnown])];
}

function schemed(host: string): string {
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/?]|$)/.test(host);
  return `${isLocal ? "http" : "https"}://${host}`;
}

/** Asks every place where a card may be. */
export async function findDocuments(
  reference: string,
  options: FindDocumentsOptions,
): Promise<readonly FetchedDocument[]> {
  return Promise.all(cardPlaces(reference).map((url) => fetchDocument(url, options)));
}

/** Fetches a document; never rejects. */
export async function fetchDocument(
  url: string,
  { fetch, timeoutMs }: FindDocumentsOptions,
  more: Readonly<Record<string, string>> = {},
): Promise<FetchedDocument> {
  const startedAt = performance.now();
  const headers = { Accept: "application/json", "A2A-Version": "1.0", ...more };
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
    const text = await readBounded(response);
    return {
      url,
      ms: performance.now() - startedAt,
      status: response.status,
      headers: response.headers,
      ...(response.redirected && { redirectedTo: response.url }),
      bytes: Buffer.byteLength(text),
      text,
      ...(response.ok && readCard(text)),
    };
  } catch (error) {
    const ms = performance.now() - startedAt;
    return { url, ms, failure: reasonOf(error), headers: new Headers(), bytes: 0 };
  }
}

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxCardBytes) throw new Error(`it has more than ${maxCardBytes} bytes`);
  }
  return text;
}

function readCard(text: string): Pick<FetchedDocument, "document" | "card" | "problem"> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return { problem: "it is not JSON" };
  }
  try {
    return { document, card: decodeAgentCard(document) };
  } catch (error) {
    return { document, problem: reasonOf(error) };
  }
}

/** Why something failed: the deepest cause, because node's fetch says only that it failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "there was no answer in time";
  const beneath: unknown = error.cause ?? (error as Partial<AggregateError>).errors?.[0];
  return beneath instanceof Error ? reasonOf(beneath) : error.message;
}
