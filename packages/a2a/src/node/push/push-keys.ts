import type { CryptoKey, JWK } from "jose";
import type { JsonObject } from "../../protocol/internal.js";

/** Loaded by the first key: most servers start without one. */
const loadJose = () => import("jose");

/** A key that signs, and the id by which receivers find its public half. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly key: CryptoKey;
}

/** The keys by which receivers verify that this server sent a notification. */
export interface PushKeys {
  /** The key that signs now. */
  signingKey(): Promise<SigningKey>;
  /** The public halves of the keys that sign, signed recently or will sign, as a JSON Web Key Set. */
  publicKeys(): Promise<JsonObject>;
}

/** Push keys from private keys in JWK. The first one signs; of the others only the public half is published. */
export async function createPushKeys(keys: readonly JWK[]): Promise<PushKeys> {
  const [first] = keys;
  if (first === undefined)
    throw new Error("createPushKeys needs at least one private key, to sign notifications");
  const named = await Promise.all(keys.map(describeKey));
  const signing = await importSigningKey(named[0]!);
  const published = keySet(named);
  return { signingKey: async () => signing, publicKeys: async () => published };
}

/** Generates a key, with its private half. */
export async function generateKey(): Promise<JWK> {
  const { exportJWK, generateKeyPair } = await loadJose();
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return describeKey(await exportJWK(privateKey));
}

export async function importSigningKey(jwk: JWK): Promise<SigningKey> {
  const { kid = "", alg = "" } = jwk;
  const { importJWK } = await loadJose();
  const key = await importJWK(jwk, alg);
  if (key instanceof Uint8Array || key.type !== "private") {
    throw new Error(
      "a notification is signed with the private key of a key pair; this key is not one",
    );
  }
  return { kid, alg, key };
}

/** The public halves of keys. */
export function keySet(keys: readonly JWK[]): JsonObject {
  return { keys: keys.map(publicHalf) };
}

/** Copies only members that are known to be public. */
function publicHalf(jwk: JWK): JsonObject {
  const { kty, kid, alg, crv, x, y, n, e } = jwk;
  const members = Object.entries({ kty, kid, alg, use: "sig", crv, x, y, n, e });
  return Object.fromEntries(members.filter((entry): entry is [string, string] => !!entry[1]));
}

/** Adds the algorithm and an id to a key that lacks them. */
async function describeKey(jwk: JWK): Promise<JWK> {
  const alg = jwk.alg ?? algorithms[jwk.crv ?? jwk.kty ?? ""];
  if (jwk.kty === "oct" || alg === undefined) {
    throw new Error(`notifications cannot be signed with a key of type ${jwk.kty ?? "unknown"}`);
  }
  const { calculateJwkThumbprint } = await loadJose();
  return { ...jwk, alg, kid: jwk.kid ?? (await calculateJwkThumbprint(jwk)) };
}

/** Algorithms by the curve of a key, or else by its type. */
const algorithms: Readonly<Record<string, string>> = {
  "P-256": "ES256",
  "P-384": "ES384",
  "P-521": "ES512",
  Ed25519: "EdDSA",
  RSA: "RS256",
};
