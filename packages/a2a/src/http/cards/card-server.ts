import type { MountedAgent } from "../../binding/internal.js";
import { cardFormFor, encodeCardForm } from "../../wire/internal.js";
import type { CardForm } from "../../wire/internal.js";
import type { Exchange } from "../exchange.js";
import type { HttpOptions } from "../http-options.js";
import type { HttpRequest, HttpResponse } from "../http-message.js";
import { declareKeys } from "../key-set.js";
import { sharedHeaders } from "../response-headers.js";
import { baseUrlOf, interfacesAt } from "./card-address.js";
import { formatHttpDate, parseHttpDate } from "./http-date.js";

const defaultMaxAgeSeconds = 300;
const cacheSize = 64;

/** The answers with one card, prepared once. */
interface Rendered {
  readonly etag: string;
  /** When this server has first made the card as it is, in whole seconds. */
  readonly modifiedAt: number;
  readonly whole: HttpResponse;
  /** For callers that have the card already. */
  readonly notModified: HttpResponse;
}

/** Serves public cards. Each form of a card is encoded, signed and hashed once for every base URL. */
export class CardServer {
  readonly #options: HttpOptions;
  readonly #rendered = new Map<string, Promise<Rendered>>();

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  async handle(exchange: Exchange, agent: MountedAgent): Promise<HttpResponse> {
    const { request, path, version } = exchange;
    const name = path.endsWith("/agent.json") ? "agent.json" : "agent-card.json";
    const { strict = false } = this.#options;
    const form = cardFormFor({ path: name, version, strict });
    const base = baseUrlOf(request, agent, this.#options);
    const rendered = await this.#render(agent, form, base);
    return isFresh(request, rendered) ? rendered.notModified : rendered.whole;
  }

  #render(agent: MountedAgent, form: CardForm, base: string): Promise<Rendered> {
    const key = `${form} ${base} ${agent.tenant ?? ""}`;
    let rendered = this.#rendered.get(key);
    if (rendered === undefined) {
      rendered = this.#renderAnew(agent, form, base);
      // Callers choose the Host header, and with it the URL; they must not choose how much is kept.
      if (this.#rendered.size >= cacheSize) this.#rendered.clear();
      this.#rendered.set(key, rendered);
      rendered.catch(() => this.#rendered.delete(key));
    }
    return rendered;
  }

  async #renderAnew(agent: MountedAgent, form: CardForm, base: string): Promise<Rendered> {
    const { signCard, cardMaxAgeSeconds = defaultMaxAgeSeconds } = this.#options;
    const declared = agent.card(interfacesAt(base, agent, this.#options));
    const card = declareKeys(declared, base, this.#options);
    const encoded = encodeCardForm(card, form);
    const body = JSON.stringify((await signCard?.(encoded, form)) ?? encoded);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
    const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
    const etag = `"${hash.slice(0, 16).join("")}"`;
    const modifiedAt = Math.floor(Date.now() / 1000) * 1000;
    const headers = {
      "Cache-Control": `public, max-age=${cardMaxAgeSeconds}`,
      ETag: etag,
      "Last-Modified": formatHttpDate(modifiedAt),
      Vary: "A2A-Version",
    };
    const wholeHeaders = sharedHeaders({ ...headers, "Content-Type": "application/json" });
    return {
      etag,
      modifiedAt,
      whole: { status: 200, headers: wholeHeaders, body },
      notModified: { status: 304, headers: sharedHeaders(headers) },
    };
  }
}

/** Whether the caller has the card already: by its tag, or by its time if the caller names no tag (RFC 9110, 13.2.2). */
function isFresh(request: HttpRequest, { etag, modifiedAt }: Rendered): boolean {
  const tags = request.header("if-none-match");
  if (tags !== undefined) return matches(tags, etag);
  const since = parseHttpDate(request.header("if-modified-since") ?? "");
  return since !== undefined && modifiedAt <= since;
}

function matches(ifNoneMatch: string, etag: string): boolean {
  const candidates = ifNoneMatch.split(",").map((one) => one.trim().replace(/^W\//, ""));
  return candidates.includes(etag) || candidates.includes("*");
}
