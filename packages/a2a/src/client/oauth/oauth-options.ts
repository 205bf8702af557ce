import type { ClientAuth } from "oauth4webapi";
import type { Fetch } from "../../http/internal.js";
import type { Clock } from "../../async/internal.js";
import type { TokenStore } from "./token-store.js";

/** Adds to a request what shows who the client is, as the methods of `oauth4webapi` do. */
export type AuthenticateClient = ClientAuth;

/** A client that has a secret names the issuer that the secret is for: a card can name any server. */
export type OAuthIdentity =
  | {
      /**
       * Who issues the tokens. Its endpoints are found by discovery, whatever the card says. Without it
       * the card's endpoints are used.
       */
      readonly issuer?: string;
      readonly clientSecret?: never;
      readonly authenticateClient?: never;
    }
  | {
      readonly issuer: string;
      /** Goes to the issuer only. */
      readonly clientSecret?: string;
      /** In place of a secret: `PrivateKeyJwt`, `TlsClientAuth` and others of `oauth4webapi`. */
      readonly authenticateClient?: AuthenticateClient;
    };

export type OAuthOptions = OAuthIdentity & OAuthSettings;

export interface OAuthSettings {
  /** The client as the authorization server knows it. */
  readonly clientId: string;
  /** Asked for beside those that the card requires, such as `offline_access`. */
  readonly scopes?: readonly string[];
  /** Sent along with requests for authorization and for tokens, such as `resource` or `audience`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** In memory when absent. */
  readonly store?: TokenStore;
  /** How long before its end a token is renewed; never more than half its life. A minute when absent. */
  readonly renewBeforeMs?: number;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
}
