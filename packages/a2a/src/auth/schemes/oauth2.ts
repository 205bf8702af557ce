import type { OAuthFlows } from "../../protocol/internal.js";
import { bearerScheme } from "./http-bearer.js";
import type { Scheme, TokenVerifier } from "../scheme.js";

export interface OAuth2Options {
  /** How callers get a token: one flow, as in 1.0. Offer another as a scheme of its own. */
  readonly flows: OAuthFlows;
  /** Whose a token is: `jwt`, `introspection`, or your own. */
  readonly verify: TokenVerifier;
  /** Where the authorization server describes itself (RFC 8414). */
  readonly oauth2MetadataUrl?: string;
  readonly description?: string;
}

/** A token that callers get from an authorization server (RFC 6749). */
export function oauth2({ verify, ...scheme }: OAuth2Options): Scheme {
  if (Object.keys(scheme.flows).length !== 1) throw new Error("an OAuth 2.0 scheme has one flow");
  return bearerScheme({ oauth2SecurityScheme: scheme }, verify);
}
