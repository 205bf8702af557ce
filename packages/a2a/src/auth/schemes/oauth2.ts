import type { OAuthFlows } from "../../protocol/internal.js";
import { bearerScheme } from "./http-bearer.js";
import type { Scheme, TokenVerifier } from "../scheme.js";

export interface OAuth2Options {
  /** How callers obtain a token: one flow, as in 1.0. Declare another flow as a scheme of its own. */
  readonly flows: OAuthFlows;
  /** Verifies tokens: `jwt`, `introspection`, or your own. */
  readonly verify: TokenVerifier;
  /** The URL of the authorization server's metadata (RFC 8414). */
  readonly oauth2MetadataUrl?: string;
  readonly description?: string;
}

/** A scheme whose callers obtain a token from an authorization server (RFC 6749). */
export function oauth2({ verify, ...scheme }: OAuth2Options): Scheme {
  if (Object.keys(scheme.flows).length !== 1)
    throw new Error(
      "an OAuth 2.0 scheme has exactly one flow; declare each flow as a scheme of its own",
    );
  return bearerScheme({ oauth2SecurityScheme: scheme }, verify);
}
