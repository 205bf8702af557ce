import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  jwtVerify,
} from "jose";
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from "jose";
import { claimsOf, scopesOf } from "./claims.js";
import { createDiscovery } from "./create-discovery.js";
import type { AuthorizationServer } from "./create-discovery.js";
import { httpsUrl } from "./https-url.js";
import { createIssuerFetch, issuerUnavailable } from "./issuer-fetch.js";
import type { Fetch, Outside } from "./issuer-fetch.js";
import { invalid, known } from "../scheme.js";
import type { TokenVerifier, Verdict } from "../scheme.js";

export interface JwtOptions extends Outside {
  /** The `iss` of the tokens. Without `jwksUri` and `jwks`, its metadata name the URL of the keys. */
  readonly issuer: string;
  /** The audience of the tokens: one of these must be in `aud`. */
  readonly audience: string | readonly string[];
  /** The algorithms that are accepted; all with public keys when absent. */
  readonly algorithms?: readonly string[];
  readonly jwksUri?: string;
  /** The keys; fetched when absent. */
  readonly jwks?: JSONWebKeySet;
  /** A secret shared with the issuer; requires `algorithms` such as `HS256`. */
  readonly secret?: Uint8Array;
  /** How far the clocks of issuer and server may be apart; 30 when absent. */
  readonly clockSkewSeconds?: number;
  /** The required `typ` of tokens, such as `at+jwt` (RFC 9068); any when absent. */
  readonly type?: string;
  /** The claims that agents receive; none when absent. */
  readonly claims?: readonly string[];
  /** The least time between two fetches of the keys because of an unknown key; 30 s when absent. */
  readonly jwksCooldownMs?: number;
  /** The time after which the keys are fetched again; 10 min when absent. */
  readonly jwksMaxAgeMs?: number;
}

const publicKeyAlgorithms = ["RS", "PS", "ES"]
  .flatMap((family) => [256, 384, 512].map((size) => `${family}${size}`))
  .concat("EdDSA", "Ed25519");

/** Verifies JSON Web Tokens of one issuer, made for one audience (RFC 7519, RFC 8725). */
export function jwt(options: JwtOptions): TokenVerifier {
  const { issuer, audience, clockSkewSeconds = 30, type, now = Date.now } = options;
  if (issuer.includes("#")) throw new Error(`${issuer} cannot be an issuer: it has a fragment`);
  const algorithms = [...(options.algorithms ?? publicKeyAlgorithms)];
  const getKey = keysOf(options, algorithms);
  return async (token) => {
    try {
      // A token of another issuer must not make the server fetch the keys of this one.
      if (decodeJwt(token).iss !== issuer) return invalid("another issuer");
      const { payload } = await jwtVerify(token, getKey, {
        issuer,
        audience: typeof audience === "string" ? audience : [...audience],
        algorithms,
        clockTolerance: clockSkewSeconds,
        currentDate: new Date(now()),
        requiredClaims: ["exp", "sub"],
        ...(type !== undefined && { typ: type }),
      });
      return verdictOn(payload, options, now() / 1000 + clockSkewSeconds);
    } catch (error) {
      if (error instanceof IssuerFailure) throw issuerUnavailable(error.cause);
      return invalid(reasonOf(error));
    }
  };
}

/** `latest` is the moment, in seconds, after which no token can have been issued. */
function verdictOn(
  payload: JWTPayload,
  { issuer, claims = [] }: JwtOptions,
  latest: number,
): Verdict {
  const { sub, cnf, iat } = payload;
  if (typeof sub !== "string" || sub === "") return invalid("no subject");
  if (iat !== undefined && iat > latest) return invalid("issued in the future");
  // Such a token is valid only with proof of a key, which a bearer does not give.
  if (cnf !== undefined) return invalid("bound to a key");
  const selected = claimsOf(payload, claims);
  return known({
    issuer,
    subject: sub,
    scopes: scopesOf(payload),
    ...(selected !== undefined && { claims: selected }),
  });
}

/** The issuer has failed, so that the token could not be verified. */
class IssuerFailure extends Error {}

function keysOf(options: JwtOptions, algorithms: readonly string[]): JWTVerifyGetKey {
  const { jwks, jwksUri, secret, issuer } = options;
  if (secret !== undefined) {
    if (!algorithms.every((one) => one.startsWith("HS"))) {
      throw new Error("a secret requires algorithms such as HS256, and none with public keys");
    }
    return async () => secret;
  }
  if (algorithms.some((one) => !publicKeyAlgorithms.includes(one))) {
    throw new Error(
      `only algorithms with public keys can be used with an issuer's keys, not ${algorithms.join(", ")}`,
    );
  }
  if (jwks !== undefined) return createLocalJWKSet(jwks);
  const fetch = createIssuerFetch(options);
  if (jwksUri !== undefined) return remoteKeys(httpsUrl(jwksUri), fetch, options);
  const discover = createDiscovery(issuer, fetch);
  let keys: JWTVerifyGetKey | undefined;
  return async (header, token) => {
    const found = (keys ??= remoteKeys(await jwksUriOf(discover), fetch, options));
    return found(header, token);
  };
}

async function jwksUriOf(discover: () => Promise<AuthorizationServer>): Promise<URL> {
  try {
    const { jwks_uri } = await discover();
    return httpsUrl(jwks_uri ?? "");
  } catch (cause) {
    throw new IssuerFailure("discovery", { cause });
  }
}

/** An issuer's keys: fetched when first needed, cached, and fetched again for an unknown key. */
function remoteKeys(url: URL, fetch: Fetch, options: JwtOptions): JWTVerifyGetKey {
  const { jwksCooldownMs = 30_000, jwksMaxAgeMs = 600_000 } = options;
  const keys = createRemoteJWKSet(url, {
    cooldownDuration: jwksCooldownMs,
    cacheMaxAge: jwksMaxAgeMs,
    [customFetch]: fetch,
  });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (cause) {
      const isAnswer =
        cause instanceof errors.JWKSNoMatchingKey ||
        cause instanceof errors.JWKSMultipleMatchingKeys ||
        cause instanceof errors.JOSENotSupported;
      throw isAnswer ? cause : new IssuerFailure("keys", { cause });
    }
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) return `${error.code} ${error.claim}`;
  return error instanceof errors.JOSEError ? error.code : "not a JSON Web Token";
}
