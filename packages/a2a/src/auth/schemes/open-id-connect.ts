import { bearerScheme } from "./http-bearer.js";
import { httpsUrl } from "../tokens/https-url.js";
import { jwt } from "../tokens/jwt.js";
import type { JwtOptions } from "../tokens/jwt.js";
import type { Scheme, TokenVerifier } from "../scheme.js";

interface OpenIdConnectHints {
  readonly issuer: string;
  readonly description?: string;
}

/** `verify` is for access tokens that are not JWTs. */
export type OpenIdConnectOptions = OpenIdConnectHints &
  (Omit<JwtOptions, "secret" | "jwks"> | { readonly verify: TokenVerifier });

/**
 * A scheme whose callers obtain an access token from an OpenID provider, which its discovery document
 * describes.
 */
export function openIdConnect(options: OpenIdConnectOptions): Scheme {
  const { issuer, description } = options;
  const verify = "verify" in options ? options.verify : jwt(options);
  const openIdConnectUrl = discoveryUrl(issuer);
  return bearerScheme(
    {
      openIdConnectSecurityScheme: {
        openIdConnectUrl,
        ...(description !== undefined && { description }),
      },
    },
    verify,
  );
}

function discoveryUrl(issuer: string): string {
  const base = httpsUrl(issuer).href;
  return `${base.replace(/\/$/, "")}/.well-known/openid-configuration`;
}
