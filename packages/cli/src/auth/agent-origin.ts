import type { Reference } from "../connect/read-reference.js";

/**
 * The origin that credentials for an agent go to: that of its card, or that of its first interface when the card is a
 * file. `undefined` where there is none.
 */
export function agentOrigin(given: string, reference: Reference): string | undefined {
  if (typeof reference === "string") return originOf(withScheme(given));
  const [first] = Array.isArray(reference["supportedInterfaces"])
    ? (reference["supportedInterfaces"] as readonly { readonly url?: unknown }[])
    : [reference];
  return originOf(String(first?.["url"]));
}

/** A host without a scheme is reached over TLS, unless it is this machine. */
function withScheme(reference: string): string {
  if (/^https?:\/\//i.test(reference)) return reference;
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/?]|$)/.test(reference);
  return `${isLocal ? "http" : "https"}://${reference}`;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
