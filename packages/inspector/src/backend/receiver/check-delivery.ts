import { createHash, timingSafeEqual } from "node:crypto";
import type { PushVerifier } from "@parley/a2a/client/push";
import type { CheckLine } from "../../contract/index.js";
import type { Delivered } from "../../receive/index.js";

/** What a delivery is checked against. */
export interface DeliveryTerms {
  /** The webhook as it was registered. */
  readonly url: string;
  /** Absent: any token, or none. */
  readonly token: string | undefined;
  /** Absent while the receiver knows of no agent whose keys it could ask for. */
  readonly verifier: PushVerifier | undefined;
  /** Whether a signature has come before; remembers it. */
  readonly isReplay: (id: string) => boolean;
  readonly now: number;
}

export interface CheckedDelivery {
  readonly isVerified: boolean;
  readonly checks: readonly CheckLine[];
  readonly sequence?: number;
}

const maxAgeSeconds = 300;

/** Checks a delivery line by line: what each claim of its signature says, then whether the signature holds. */
export async function checkDelivery(
  delivered: Delivered,
  terms: DeliveryTerms,
): Promise<CheckedDelivery> {
  const token = checkToken(delivered, terms);
  const text = delivered.headers["x-a2a-notification-signature"];
  if (text === undefined) {
    const detail = "the delivery carries no signature; only its token tells where it comes from";
    return { isVerified: false, checks: [token, { name: "signature", status: "skipped", detail }] };
  }
  const [header, claims] = text.split(".").slice(0, 2).map(readJson);
  if (header === undefined || claims === undefined) {
    const detail = "it is not a signed token";
    return { isVerified: false, checks: [token, { name: "signature", status: "failed", detail }] };
  }
  const sequence = typeof claims["sequence"] === "number" ? claims["sequence"] : undefined;
  const lines = [
    token,
    checkKey(header),
    checkAge(claims, terms.now),
    checkAudience(claims, terms.url),
    checkBody(claims, delivered.body),
    checkReplay(claims, terms),
  ];
  const verdict = await checkSignature(delivered, terms);
  const isVerified = verdict.status === "passed" && token.status !== "failed";
  return { isVerified, checks: [...lines, verdict], ...(sequence !== undefined && { sequence }) };
}

function checkToken({ headers }: Delivered, { token }: DeliveryTerms): CheckLine {
  const name = "token";
  const found = headers["x-a2a-notification-token"];
  if (token === undefined) {
    const detail =
      found === undefined ? "none came, and none is expected" : "one came, and none is expected";
    return { name, status: "skipped", detail };
  }
  if (found === undefined) return { name, status: "failed", detail: "the delivery carries none" };
  return isSame(found, token)
    ? { name, status: "passed", detail: "it is the one that was registered" }
    : { name, status: "failed", detail: "it is not the one that was registered" };
}

function checkKey({ alg, kid }: Json): CheckLine {
  const isNamed = typeof kid === "string" && typeof alg === "string" && alg !== "none";
  const detail = isNamed ? `${kid}, by ${alg}` : "it names no key, or no algorithm that signs";
  return { name: "key", status: isNamed ? "passed" : "failed", detail };
}

function checkAge({ iat }: Json, now: number): CheckLine {
  const name = "age";
  if (typeof iat !== "number")
    return { name, status: "failed", detail: "it does not say when it was signed" };
  const seconds = Math.round(now / 1000 - iat);
  const isRecent = seconds <= maxAgeSeconds + 60 && seconds >= -60;
  return {
    name,
    status: isRecent ? "passed" : "failed",
    detail: `signed ${seconds} s ago; ${maxAgeSeconds} s are allowed`,
  };
}

function checkAudience({ aud }: Json, url: string): CheckLine {
  const named = [aud].flat().filter((one) => typeof one === "string");
  const isFor = named.includes(url);
  const detail = `for ${named.join(", ") || "nobody"}${isFor ? "" : `, and this receiver is ${url}`}`;
  return { name: "audience", status: isFor ? "passed" : "failed", detail };
}

function checkBody({ request_body_sha256: expected }: Json, body: string): CheckLine {
  const hash = createHash("sha256").update(body);
  const found = hash.digest();
  const isSigned = expected === found.toString("hex");
  return {
    name: "body hash",
    status: isSigned ? "passed" : "failed",
    detail: isSigned ? `sha256 ${String(expected)}` : "the body is not the one that was signed",
  };
}

function checkReplay({ jti }: Json, { isReplay }: DeliveryTerms): CheckLine {
  const name = "replay";
  if (typeof jti !== "string") return { name, status: "failed", detail: "the signature has no id" };
  return isReplay(jti)
    ? { name, status: "failed", detail: `the signature ${jti} has come before` }
    : { name, status: "passed", detail: `the signature ${jti} is new` };
}

async function checkSignature(
  delivered: Delivered,
  { verifier }: DeliveryTerms,
): Promise<CheckLine> {
  const name = "signature";
  if (verifier === undefined) {
    const detail = "no agent is known whose keys could verify it: connect to the agent first";
    return { name, status: "skipped", detail };
  }
  try {
    await verifier.verifyPush(delivered);
    return { name, status: "passed", detail: "verified with a key of the agent" };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { name, status: "failed", detail };
  }
}

type Json = Readonly<Record<string, unknown>>;

function readJson(part: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function isSame(found: string, expected: string): boolean {
  const [a, b] = [found, expected].map((one) => createHash("sha256").update(one).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
