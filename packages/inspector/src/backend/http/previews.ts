import { randomBytes } from "node:crypto";
import { Refusal } from "./refusal.js";
import { previewHeaders } from "./security-headers.js";

/** How many previews may wait to be shown, how large one may be, and for how long it waits. */
const maxPreviews = 16;
const maxMs = 60_000;

/** HTML of agents, each at an address that is good once. */
export class Previews {
  readonly #waiting = new Map<string, { readonly html: string; readonly until: number }>();

  /** Keeps HTML for one request; resolves to its path. */
  add(html: string): string {
    const name = randomBytes(24).toString("base64url");
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size >= maxPreviews && oldest !== undefined) this.#waiting.delete(oldest);
    this.#waiting.set(name, { html, until: Date.now() + maxMs });
    return `/preview/${name}`;
  }

  /** The HTML, for a frame of the page and for nobody else. */
  take(request: Request, url: URL): Response {
    const site = request.headers.get("sec-fetch-site");
    const destination = request.headers.get("sec-fetch-dest");
    const isFrame = destination === null || destination === "iframe";
    if (request.method !== "GET" || (site !== null && site !== "same-origin") || !isFrame) {
      throw new Refusal(403, "PERMISSION_DENIED", "a preview is shown in a frame of the inspector");
    }
    const name = url.pathname.slice("/preview/".length);
    const found = this.#waiting.get(name);
    this.#waiting.delete(name);
    if (found === undefined || found.until < Date.now()) {
      throw new Refusal(410, "METHOD_NOT_FOUND", "this preview was shown already");
    }
    return new Response(found.html, { headers: previewHeaders });
  }
}
