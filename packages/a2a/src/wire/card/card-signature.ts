import { base64url, decodeProtectedHeader, FlattenedSign, flattenedVerify } from "jose";
import type { CryptoKey, JWK } from "jose";
import { A2AError } from "../../protocol/internal.js";
import type { AgentCardSignature, JsonObject, JsonValue } from "../../protocol/internal.js";
import { isJsonObject, parseUrl } from "../../protocol/parse/internal.js";
import { quote } from "../members/quote.js";
import { canonicalForms, canonicalizeAgentCard, listUncovered } from "./card-canonical.js";
import type { CanonicalForm } from "./card-canonical.js";

/** The algorithms for signing a card. All of them are verified with a public key. */
export const signatureAlgorithms = [
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
] as const;

export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

/** A key of the platform, or a JSON key. `exp`, `nbf` and `revoked` of a JSON key are respected. */
export type CardKey = CryptoKey | JWK;

export interface SignAgentCardOptions {
  readonly key: CardKey;
  readonly alg: SignatureAlgorithm;
  readonly kid: string;
  /** The URL of the key set that has the public key. */
  readonly jku?: string;
}

/**
 * Signs the JSON of a card in the form in which it will be served (§8.4.2). `addSignature` adds the
 * result to the card. Some verifiers compute wrong bytes for text beyond ASCII and for required members
 * that are empty.
 */
export async function signAgentCard(
  card: JsonObject,
  { key, alg, kid, jku }: SignAgentCardOptions,
): Promise<AgentCardSignature> {
  if (!signatureAlgorithms.includes(alg)) {
    throw new A2AError("INVALID_PARAMS", `a card cannot be signed with ${quote(alg)}`);
  }
  const header = { alg, typ: "JOSE", kid, ...(jku !== undefined && { jku }) };
  const jws = await new FlattenedSign(canonicalizeAgentCard(card))
    .setProtectedHeader(header)
    .sign(key);
  return { protected: jws.protected ?? "", signature: jws.signature };
}

/** Adds a signature to a card. Earlier ones stay valid, because no signature covers `signatures`. */
export function addSignature(card: JsonObject, signature: AgentCardSignature): JsonObject {
  const signatures: readonly JsonValue[] = Array.isArray(card["signatures"])
    ? card["signatures"]
    : [];
  return { ...card, signatures: [...signatures, { ...signature }] };
}

/** What a verifier can use to look up a key. */
export interface SignatureHeader {
  readonly alg: SignatureAlgorithm;
  readonly kid: string;
  /** Present only when its host is in `allowedJkuHosts`. */
  readonly jku?: string;
}

export interface VerifyAgentCardOptions {
  /** Finds the trusted key of a signature; `undefined` if there is none. */
  readonly keys: (header: SignatureHeader) => CardKey | undefined | Promise<CardKey | undefined>;
  /** The accepted algorithms; all of `signatureAlgorithms` by default. */
  readonly algorithms?: readonly SignatureAlgorithm[];
  /**
   * The hosts (with a port, unless it is the default) whose key sets are trusted. A signature that names
   * another host is not verified. Without this list `keys` never sees a `jku`.
   */
  readonly allowedJkuHosts?: readonly string[];
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * The outcome for a card: `verified` if one signature is valid; `invalid` if one was checked and failed,
 * or is no signature at all; `unverifiable` if none could be checked; `absent` if there is none. Only a
 * verified card can be trusted for its signatures.
 */
export interface CardVerification {
  readonly outcome: "verified" | "unverifiable" | "absent" | "invalid";
  /** The canonical form and the key of the signature that decided the outcome. */
  readonly form?: CanonicalForm;
  readonly kid?: string;
  readonly reason?: string;
  /** What an otherwise valid signature does not cover, which makes the card unverifiable. */
  readonly uncovered?: readonly string[];
}

/** A limit, because each signature costs a key lookup and up to three verifications. */
const maxSignatures = 32;

/** Verifies the JSON of a card as it was received (§8.4.3). Never throws, whatever the card is. */
export async function verifyAgentCard(
  card: unknown,
  options: VerifyAgentCardOptions,
): Promise<CardVerification> {
  if (!isJsonObject(card as JsonValue)) return invalid("the card is not an object");
  const { signatures } = card as JsonObject;
  if (signatures === undefined || signatures === null) return { outcome: "absent" };
  if (!Array.isArray(signatures)) return invalid("the member signatures is not a list");
  if (signatures.length === 0) return { outcome: "absent" };
  if (signatures.length > maxSignatures) {
    return invalid(`the card has more than ${maxSignatures} signatures`);
  }
  const content = readContent(card as JsonObject);
  if (content === undefined) return invalid("the card has no canonical form");
  let decisive: CardVerification | undefined;
  for (const signature of signatures as readonly JsonValue[]) {
    const result = await verifySignature(signature, content, options);
    if (result.outcome === "verified") return result;
    if (decisive?.outcome !== "invalid" && (result.outcome === "invalid" || !decisive)) {
      decisive = result;
    }
  }
  return decisive ?? { outcome: "absent" };
}

interface SignedContent {
  readonly payloads: ReadonlyMap<CanonicalForm, string>;
  readonly uncovered: readonly string[];
}

function readContent(card: JsonObject): SignedContent | undefined {
  try {
    const payloads = new Map<CanonicalForm, string>();
    for (const form of canonicalForms) {
      const payload = base64url.encode(canonicalizeAgentCard(card, form));
      if (![...payloads.values()].includes(payload)) payloads.set(form, payload);
    }
    return { payloads, uncovered: listUncovered(card) };
  } catch {
    return undefined;
  }
}

async function verifySignature(
  signature: JsonValue,
  content: SignedContent,
  options: VerifyAgentCardOptions,
): Promise<CardVerification> {
  const read = readSignature(signature);
  if ("outcome" in read) return read;
  const accepted = acceptHeader(read.header, options);
  if ("outcome" in accepted) return accepted;
  const { kid } = accepted;
  const key = await findKey(accepted, options);
  if ("outcome" in key) return { ...key, kid };
  const { form, problem } = await findForm(read, content, { key, alg: accepted.alg });
  if (problem !== undefined) return { ...problem, kid };
  if (form === undefined) return { ...invalid("the signature does not match the card"), kid };
  if (form !== "spec" && content.uncovered.length > 0) {
    const [first = ""] = content.uncovered;
    const reason = `the signature leaves out empty values, among them ${quote(first)}`;
    return { ...unverifiable(reason), form, kid, uncovered: content.uncovered };
  }
  return { outcome: "verified", form, kid };
}

interface ReadSignature {
  readonly protected: string;
  readonly signature: string;
  readonly header: Readonly<Record<string, unknown>>;
}

function readSignature(given: JsonValue): ReadSignature | CardVerification {
  if (!isJsonObject(given)) return invalid("a signature is not an object");
  const { protected: encoded, signature } = given;
  if (typeof encoded !== "string" || typeof signature !== "string") {
    return invalid("a signature lacks its protected header or its value");
  }
  try {
    // Base64url has unused bits at the end. Of all spellings of a signature only the canonical one is accepted.
    if (base64url.encode(base64url.decode(signature)) !== signature) {
      return invalid("a signature is not base64url");
    }
    const header = decodeProtectedHeader({ protected: encoded });
    return { protected: encoded, signature, header };
  } catch {
    return invalid("a signature cannot be read");
  }
}

/** Reads the protected header only: whoever changes the card can also change the unprotected one. */
function acceptHeader(
  { alg, kid, jku, crit }: Readonly<Record<string, unknown>>,
  { algorithms = signatureAlgorithms, allowedJkuHosts }: VerifyAgentCardOptions,
): SignatureHeader | CardVerification {
  const known = signatureAlgorithms.find((one) => one === alg);
  if (known === undefined) {
    const isForged = typeof alg !== "string" || /^(none$|HS)/i.test(alg);
    const reason = `the algorithm ${describeValue(alg)} is not accepted`;
    return isForged ? invalid(reason) : unverifiable(reason);
  }
  if (!algorithms.includes(known)) return unverifiable(`the algorithm ${known} is not accepted`);
  if (crit !== undefined) return unverifiable("the header has critical parameters");
  if (typeof kid !== "string" || kid === "") return unverifiable("the header names no key");
  if (jku === undefined || allowedJkuHosts === undefined) return { alg: known, kid };
  if (typeof jku !== "string" || !isAllowed(jku, allowedJkuHosts)) {
    return { ...unverifiable(`keys at ${describeValue(jku)} are not trusted`), kid };
  }
  return { alg: known, kid, jku };
}

function isAllowed(jku: string, hosts: readonly string[]): boolean {
  const url = parseUrl(jku);
  if (url === undefined) return false;
  const { protocol, host, username, password } = url;
  return protocol === "https:" && username === "" && password === "" && hosts.includes(host);
}

async function findKey(
  header: SignatureHeader,
  { keys, now = Date.now }: VerifyAgentCardOptions,
): Promise<CardKey | CardVerification> {
  try {
    const key = await keys(header);
    if (key === undefined) return unverifiable(`no key ${quote(header.kid)} is trusted`);
    const staleness = describeStaleness(key, now() / 1000);
    return staleness === undefined
      ? key
      : unverifiable(`the key ${quote(header.kid)} is ${staleness}`);
  } catch {
    return unverifiable(`the key ${quote(header.kid)} could not be looked up`);
  }
}

function describeStaleness(key: CardKey, seconds: number): string | undefined {
  const { exp, nbf, revoked } = key as Readonly<Record<string, unknown>>;
  if (revoked !== undefined && revoked !== null && revoked !== false) return "revoked";
  if (exp !== undefined && !(typeof exp === "number" && seconds < exp)) return "expired";
  if (nbf !== undefined && !(typeof nbf === "number" && seconds >= nbf)) return "not valid yet";
  return undefined;
}

async function findForm(
  { protected: encoded, signature }: ReadSignature,
  { payloads }: SignedContent,
  { key, alg }: { readonly key: CardKey; readonly alg: SignatureAlgorithm },
): Promise<{ readonly form?: CanonicalForm; readonly problem?: CardVerification }> {
  for (const [form, payload] of payloads) {
    try {
      const jws = { protected: encoded, payload, signature };
      await flattenedVerify(jws, key, { algorithms: [alg] });
      return { form };
    } catch (error) {
      if (!isMismatch(error)) {
        return { problem: unverifiable(`the key does not match the algorithm ${alg}`) };
      }
    }
  }
  return {};
}

function isMismatch(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "ERR_JWS_SIGNATURE_VERIFICATION_FAILED"
  );
}

function invalid(reason: string): CardVerification {
  return { outcome: "invalid", reason };
}

function unverifiable(reason: string): CardVerification {
  return { outcome: "unverifiable", reason };
}

function describeValue(value: unknown): string {
  return typeof value === "string" ? quote(value) : "that it names";
}
