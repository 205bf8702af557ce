import type { ConnectOptions } from "@parley/a2a/client";
import { parseUrl } from "../parse-url.js";

type Verify = NonNullable<ConnectOptions["verifyCard"]>;

/**
 * Verifies the signatures of a card, with keys that the card's own host publishes. What verifies is loaded only for a
 * card that has signatures.
 */
export async function verifyCard(
  document: unknown,
  reference: string,
): Promise<Awaited<ReturnType<Verify>>> {
  if (!hasSignatures(document)) return { outcome: "absent" };
  const { createCardVerifier } = await import("@parley/a2a/client/signatures");
  return createCardVerifier({ keyHosts: hostsOf(reference) })(document);
}

function hasSignatures(document: unknown): boolean {
  if (typeof document !== "object" || document === null || !("signatures" in document))
    return false;
  return !Array.isArray(document.signatures) || document.signatures.length > 0;
}

function hostsOf(reference: string): readonly string[] {
  if (/^file:|^\.{0,2}\//i.test(reference)) return [];
  const text = /^https?:/i.test(reference) ? reference : `https://${reference}`;
  const host = parseUrl(text)?.host;
  return host === undefined ? [] : [host];
}
