import type { ClientAuth } from "oauth4webapi";
import type { Fetch } from "../../http/internal.js";
import type { Clock } from "../../async/internal.js";
import type { TokenStore } from "./token-store.js";

/** Authenticates the client in a request, as the methods of `oauth4webapi` do. */
export type AuthenticateClient = ClientAuth;

/** A client with a secret has to name the issuer that the secret is for, since a card can name any server. */
export type OAuthIdentity =
  | {
      /**
       * The issuer of the tokens. Its endpoints are found by discovery, whatever the card says. When
       * absent, the card's endpoints are used.
       */
      readonly issuer?: string;
      readonly clientSecret?: never;
      readonly authenticateClient?: never;
    }
  | {
      readonly issuer: string;
      /** Sent to the issuer only. */
      readonly clientSecret?: string;
      /** Used instead of a secret: `PrivateKeyJwt`, `TlsClientAuth` and others of `oauth4webapi`. */
      readonly authenticateClient?: AuthenticateClient;
    };

export type OAuthOptions = OAuthIdentity & OAuthSettings;

export interface OAuthSettings {
  /** The id under which the client is registered with the authorization server. */
  readonly clientId: string;
  /** Scopes to request besides those that the card requires, such as `offline_access`. */
  readonly scopes?: readonly string[];
  /** Further parameters of the requests for authorization and for tokens, such as `resource` or `audience`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Where tokens are kept; in memory when absent. */
  readonly store?: TokenStore;
  /** How long before its expiry a token is renewed, at most half its lifetime; a minute when absent. */
  readonly renewBeforeMs?: number;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
}
