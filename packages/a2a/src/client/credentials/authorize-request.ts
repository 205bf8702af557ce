import { A2AError } from "../../protocol/internal.js";
import { parseUrl } from "../../protocol/parse/internal.js";
import { authorize } from "./authorize.js";
import type { Authorization } from "./authorize.js";
import type { Entrusted } from "./secret.js";

interface AttemptOptions {
  /** What the agent has refused before. */
  readonly refused?: Authorization | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * The authorization of a request to a URL. Throws `UNAUTHENTICATED` when the credentials are for another
 * origin.
 */
export async function authorizeRequest(
  url: string,
  { card, origin: given, cardUrl, credentials }: Entrusted,
  { refused, signal }: AttemptOptions,
): Promise<Authorization> {
  const origin = originOf(given);
  // When the caller names a host without a scheme, the card decides whether the connection uses TLS.
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

/** Whether tokens came from sources, which may have other ones after a refusal. */
export function isRenewable({ tokens }: Authorization): boolean {
  return Object.keys(tokens).length > 0;
}

const hasScheme = (address: string): boolean => /^\w+:\/\//.test(address);

/**
 * The origin of an address. Bindings other than HTTP have a host with a port as address; it counts as secure
 * unless its scheme or, without a scheme, that of the card's URL is `http` or `grpc`. An address with any
 * other scheme equals only itself: `dns://host/another`, for example, means the host `another`.
 */
function originOf(address: string, cardUrl = "https:"): string {
  const [, scheme = cardUrl, host = address] = /^(\w+:)\/\/(.*)/.exec(address) ?? [];
  const [known, secure = ""] = /^(?:http|grpc)(s?):/i.exec(scheme) ?? [];
  const url = `http${secure}://${host}`;
  return (known !== undefined && parseUrl(url)?.origin) || address;
}

/** The failure of a token source, marked as unsent so that it does not count as a lost connection. */
function unsent(error: unknown): A2AError {
  const reason = error instanceof Error ? error.message : String(error);
  const { code, message, details } = A2AError.is(error)
    ? error
    : new A2AError("UNAUTHENTICATED", `the token source failed: ${reason}`);
  const cause = Object.assign(new Error("the request was not sent", { cause: error }), {
    code: "UNSENT",
  });
  return new A2AError(code, message, { details, cause });
}
