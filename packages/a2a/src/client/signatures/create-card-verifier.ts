import { createRemoteJWKSet, customFetch, errors } from "jose";
import { A2AError } from "../../protocol/internal.js";
import { verifyAgentCard } from "../../wire/card/internal.js";
import type {
  CardKey,
  CardVerification,
  SignatureAlgorithm,
  SignatureHeader,
} from "../../wire/card/internal.js";
import { readText } from "../../http/internal.js";
import type { Fetch } from "../../http/internal.js";

export interface CardVerifierOptions {
  /** Trusted keys by key id. */
  readonly keys?: Readonly<Record<string, CardKey>>;
  /**
   * Hosts (with a port, if it is not the default one) whose key sets are trusted; a signature that names
   * the key set of another host is refused. When absent, no key set is fetched.
   */
  readonly keyHosts?: readonly string[];
  /** The algorithms that are accepted; all with public keys when absent. */
  readonly algorithms?: readonly SignatureAlgorithm[];
  /** Refuses a card that is not verified, instead of only reporting it as `agent.signature`. */
  readonly required?: boolean;
  readonly fetch?: Fetch;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** A key set is fetched again after `maxAgeMs`, and because of an unknown key at most once in `cooldownMs`. */
const maxAgeMs = 600_000;
const cooldownMs = 30_000;

const limit = { maxBytes: 256 * 1024, option: "" };

/**
 * Creates a function for `verifyCard` of `connect`, which verifies the signatures of a card.
 *
 * @example
 * const verifyCard = createCardVerifier({ keyHosts: ["agents.example.com"], required: true });
 * const agent = await connect("https://agents.example.com", { verifyCard });
 */
export function createCardVerifier({
  keys = {},
  keyHosts,
  algorithms,
  required = false,
  fetch = (url, init) => globalThis.fetch(url, init),
  now,
}: CardVerifierOptions): (document: unknown) => Promise<CardVerification> {
  const own = new Map(Object.entries(keys));
  const sets = new Map<string, ReturnType<typeof createRemoteJWKSet>>();

  async function find({ kid, alg, jku }: SignatureHeader): Promise<CardKey | undefined> {
    const key = own.get(kid);
    if (key !== undefined || jku === undefined) return key;
    const set = sets.get(jku) ?? openKeySet(jku, fetch);
    sets.set(jku, set);
    try {
      await set({ kid, alg });
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return undefined;
      throw error;
    }
    // The key as it is published, with the times for which it is valid.
    return set.jwks()?.keys.find((one) => one.kid === kid);
  }

  return async (document) => {
    const verification = await verifyAgentCard(document, {
      keys: find,
      ...(keyHosts !== undefined && { allowedJkuHosts: keyHosts }),
      ...(algorithms !== undefined && { algorithms }),
      ...(now !== undefined && { now }),
    });
    if (!required || verification.outcome === "verified") return verification;
    const { outcome, reason = "it has no signature" } = verification;
    const message = `the card is not verified: ${reason}`;
    throw new A2AError("PERMISSION_DENIED", message, { details: { metadata: { outcome } } });
  };
}

function openKeySet(url: string, fetch: Fetch): ReturnType<typeof createRemoteJWKSet> {
  return createRemoteJWKSet(new URL(url), {
    cacheMaxAge: maxAgeMs,
    cooldownDuration: cooldownMs,
    // A redirect could lead to a host that is not trusted.
    [customFetch]: async (target, { headers, signal }) => {
      const response = await fetch(target, { headers, signal, redirect: "manual" });
      if (response.ok) return new Response(await readText(response, limit));
      await response.body?.cancel();
      return response;
    },
  });
}
