import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { JSONWebKeySet, JWTHeaderParameters, JWTPayload } from "jose";

export const issuer = "https://id.example";
export const audience = "https://agent.example";

/** An issuer without a server: it has keys, and signs tokens that are valid unless a test overrides a claim. */
export interface TokenIssuer {
  readonly jwks: () => JSONWebKeySet;
  sign(claims?: JWTPayload, header?: Partial<JWTHeaderParameters>): Promise<string>;
  /** Signs with another key from now on. */
  rotate(): Promise<void>;
}

export async function createTokenIssuer(
  defaults: JWTPayload = {},
  alg = "ES256",
): Promise<TokenIssuer> {
  let number = 0;
  const make = async () => ({ kid: `key ${(number += 1)}`, ...(await generateKeyPair(alg)) });
  const publish = async ({ kid, publicKey }: Awaited<ReturnType<typeof make>>) => ({
    ...(await exportJWK(publicKey)),
    kid,
    alg,
    use: "sig",
  });
  let current = await make();
  let published = [await publish(current)];
  return {
    jwks: () => ({ keys: published }),
    async sign(claims = {}, header = {}) {
      const now = Math.floor(Date.now() / 1000);
      const standard = { iss: issuer, aud: audience, sub: "ada", iat: now, exp: now + 600 };
      const payload = { ...standard, ...defaults, ...claims };
      return new SignJWT(payload)
        .setProtectedHeader({ alg, kid: current.kid, ...header })
        .sign(current.privateKey);
    },
    async rotate() {
      current = await make();
      published = [...published, await publish(current)];
    },
  };
}
