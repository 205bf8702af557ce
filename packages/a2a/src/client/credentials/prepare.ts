import { A2AError } from "../../protocol/internal.js";
import { authorize } from "./authorize.js";
import type { Authorization } from "./authorize.js";
import type { Entrusted } from "./secret.js";

/** What to add to a request to a URL: nothing that it brings along itself, and nothing for elsewhere. */
export async function prepare(
  url: string,
  { card, origin: given, cardUrl, credentials }: Entrusted,
  {
    refused,
    signal,
  }: { readonly refused?: Authorization; readonly signal?: AbortSignal | undefined },
): Promise<Authorization> {
  const origin = originOf(given);
  // A caller that names a host alone leaves it to the card whether TLS is spoken there.
  const target = originOf(url, hasScheme(given) ? cardUrl : undefined);
  if (target !== origin) {
    const message = `the credentials are for ${origin} and are not sent to ${target}`;
    throw new A2AError("UNAUTHENTICATED", message);
  }
  if (credentials === undefined) return { headers: {}, query: {}, tokens: {} };
  try {
    return await authorize(card, credentials, { origin, refused: refused?.tokens, signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw unsent(error);
  }
}

/** Whether other tokens could help someone who was refused with these. */
export function isRenewable({ tokens }: Authorization): boolean {
  return Object.keys(tokens).length > 0;
}

const hasScheme = (address: string): boolean => /^\w+:\/\//.test(address);

/**
 * Addresses of bindings other than HTTP are hosts with ports, and taken for secure ones unless their scheme
 * or, where they have none, that of the card's URL is a plain one. What a scheme of another kind names is
 * for its readers to know, `dns://host/another` another host: it is nothing but itself.
 */
function originOf(address: string, cardUrl = "https:"): string {
  const [, scheme = cardUrl, host = address] = /^(\w+:)\/\/(.*)/.exec(address) ?? [];
  const [known, secure = ""] = /^(?:http|grpc)(s?):/i.exec(scheme) ?? [];
  const url = `http${secure}://${host}`;
  return known !== undefined && URL.canParse(url) ? new URL(url).origin : address;
}

/** The failure of a source, marked so that nobody takes it for a lost connection. */
function unsent(error: unknown): A2AError {
  const reason = error instanceof Error ? error.message : String(error);
  const { code, message, details } = A2AError.is(error)
    ? error
    : new A2AError("UNAUTHENTICATED", `there is no token: ${reason}`);
  const cause = Object.assign(new Error("nothing was sent", { cause: error }), { code: "UNSENT" });
  return new A2AError(code, message, { details, cause });
}
