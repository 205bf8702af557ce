import type { SecurityScheme } from "../../protocol/internal.js";
import { authorizationOf } from "./authorization-header.js";
import { absent, invalid } from "../scheme.js";
import type { Scheme, TokenVerifier } from "../scheme.js";

export interface HttpBearerOptions {
  /** Verifies tokens: `jwt`, `introspection`, `keyTable`, or your own. */
  readonly verify: TokenVerifier;
  /** A hint for people, such as `JWT`. */
  readonly bearerFormat?: string;
  readonly description?: string;
}

/** A scheme with a token in `Authorization: Bearer` (RFC 6750). */
export function httpBearer({ verify, ...hints }: HttpBearerOptions): Scheme {
  return bearerScheme({ httpAuthSecurityScheme: { scheme: "bearer", ...hints } }, verify);
}

/** A scheme by which callers obtain a bearer token, however they do. */
export function bearerScheme(description: SecurityScheme, verify: TokenVerifier): Scheme {
  return {
    description,
    challenge: { scheme: "Bearer" },
    async check(credentials) {
      const token = authorizationOf(credentials, "Bearer");
      if (token === undefined) return absent;
      return bearerToken.test(token) ? verify(token) : invalid("no bearer token");
    },
  };
}

/** `b64token` (RFC 6750, 2.1). */
const bearerToken = /^[\w.~+/-]+=*$/;
