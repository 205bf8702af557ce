import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from "jose";
import type { CryptoKey, JWK } from "jose";
import type { JsonObject } from "../../protocol/internal.js";

/** A key to sign with, and the name receivers find it by. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly key: CryptoKey;
}

/** The keys by which receivers know that a notification is from here. */
export interface PushKeys {
  /** The one that signs. */
  signingKey(): Promise<SigningKey>;
  /** The public halves of all that sign or have signed of late, as a JSON Web Key Set. */
  publicKeys(): Promise<JsonObject>;
}

/** Keys that an operator gives, private ones as JWK. The first signs; the others are only published. */
export async function createPushKeys(keys: readonly JWK[]): Promise<PushKeys> {
  const [first] = keys;
  if (first === undefined) throw new Error("a key to sign notifications with is missing");
  const named = await Promise.all(keys.map(describeKey));
  const signing = await importSigningKey(named[0]!);
  const published = keySet(named);
  return { signingKey: async () => signing, publicKeys: async () => published };
}

/** A new key as JSON, its private half included. */
export async function generateKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return describeKey(await exportJWK(privateKey));
}

export async function importSigningKey(jwk: JWK): Promise<SigningKey> {
  const { kid = "", alg = "" } = jwk;
  const key = await importJWK(jwk, alg);
  if (key instanceof Uint8Array || key.type !== "private") {
    throw new Error("notifications are signed with a private key that has a public half");
  }
  return { kid, alg, key };
}

/** The public halves of keys. */
export function keySet(keys: readonly JWK[]): JsonObject {
  return { keys: keys.map(publicHalf) };
}

/** Nothing is published but what is known to be public. */
function publicHalf(jwk: JWK): JsonObject {
  const { kty, kid, alg, crv, x, y, n, e } = jwk;
  const members = Object.entries({ kty, kid, alg, use: "sig", crv, x, y, n, e });
  return Object.fromEntries(members.filter((entry): entry is [string, string] => !!entry[1]));
}

/** The key with its algorithm and a name, as far as it says none itself. */
async function describeKey(jwk: JWK): Promise<JWK> {
  const alg = jwk.alg ?? algorithms[jwk.crv ?? jwk.kty ?? ""];
  if (jwk.kty === "oct" || alg === undefined) {
    throw new Error(`notifications cannot be signed with a key of type ${jwk.kty ?? "unknown"}`);
  }
  return { ...jwk, alg, kid: jwk.kid ?? (await calculateJwkThumbprint(jwk)) };
}

/** By curve, or else by the type of the key. */
const algorithms: Readonly<Record<string, string>> = {
  "P-256": "ES256",
  "P-384": "ES384",
  "P-521": "ES512",
  Ed25519: "EdDSA",
  RSA: "RS256",
};
