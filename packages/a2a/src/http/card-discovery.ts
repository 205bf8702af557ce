import type { JsonObject } from "../protocol/internal.js";
import { cardFormFor, encodeCardForm } from "../wire/internal.js";
import type { CardForm } from "../wire/internal.js";
import { baseUrlOf, interfacesAt } from "./card-address.js";
import type { Exchange } from "./exchange.js";
import type { HttpOptions } from "./http-options.js";
import type { HttpRequest, HttpResponse } from "./http-message.js";
import { sharedHeaders } from "./safe-headers.js";
import type { Host } from "./site.js";

const defaultMaxAgeSeconds = 300;
const cacheSize = 64;

interface Rendered {
  readonly etag: string;
  readonly answer: HttpResponse;
  /** To who has it already. */
  readonly unchanged: HttpResponse;
}

/** Serves cards: one document per form and URL, made once and known by its hash. */
export class CardServer {
  readonly #options: HttpOptions;
  readonly #rendered = new Map<string, Promise<Rendered>>();

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  async handle({ request, path, version }: Exchange, host: Host): Promise<HttpResponse> {
    const name = path.endsWith("/agent.json") ? "agent.json" : "agent-card.json";
    const form = cardFormFor({ path: name, version });
    const { etag, answer, unchanged } = await this.#render(request, host, form);
    return matches(request.header("if-none-match"), etag) ? unchanged : answer;
  }

  async #render(request: HttpRequest, host: Host, form: CardForm): Promise<Rendered> {
    const { mount } = host;
    const base = baseUrlOf(request, host, this.#options);
    const key = `${form} ${base} ${mount.tenant ?? ""}`;
    let rendered = this.#rendered.get(key);
    if (rendered === undefined) {
      rendered = this.#renderAnew(host, form, base);
      // Callers choose the Host header; they must not choose how much is kept.
      if (this.#rendered.size >= cacheSize) this.#rendered.clear();
      this.#rendered.set(key, rendered);
      rendered.catch(() => this.#rendered.delete(key));
    }
    return rendered;
  }

  async #renderAnew(host: Host, form: CardForm, base: string): Promise<Rendered> {
    const card = host.card(interfacesAt(base, host, this.#options));
    const encoded: JsonObject = encodeCardForm(card, form);
    const signed = (await this.#options.signCard?.(encoded, form)) ?? encoded;
    const body = JSON.stringify(signed);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
    const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
    const etag = `"${hash.slice(0, 16).join("")}"`;
    const maxAge = this.#options.cardMaxAgeSeconds ?? defaultMaxAgeSeconds;
    const headers = {
      "Cache-Control": `public, max-age=${maxAge}`,
      ETag: etag,
      Vary: "A2A-Version",
    };
    const ofBody = sharedHeaders({ ...headers, "Content-Type": "application/json" });
    return {
      etag,
      answer: { status: 200, headers: ofBody, body },
      unchanged: { status: 304, headers: sharedHeaders(headers) },
    };
  }
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const candidates = ifNoneMatch.split(",").map((one) => one.trim().replace(/^W\//, ""));
  return candidates.includes(etag) || candidates.includes("*");
}
