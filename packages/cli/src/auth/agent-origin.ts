import type { Reference } from "../connect/read-reference.js";
import { parseUrl } from "../parse-url.js";

/**
 * The origin that credentials for an agent go to: that of its card, or that of its first interface when the card is a
 * file. `undefined` where there is none.
 */
export function agentOrigin(given: string, reference: Reference): string | undefined {
  if (typeof reference === "string") return parseUrl(withScheme(given))?.origin;
  const [first] = Array.isArray(reference["supportedInterfaces"])
    ? (reference["supportedInterfaces"] as readonly { readonly url?: unknown }[])
    : [reference];
  return parseUrl(String(first?.["url"]))?.origin;
}

/** A host without a scheme is reached over TLS, unless it is this machine. */
function withScheme(reference: string): string {
  if (/^https?:\/\//i.test(reference)) return reference;
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/?]|$)/.test(reference);
  return `${isLocal ? "http" : "https"}://${reference}`;
}
