import type { AgentCard } from "./agent-card.js";
import type { Principal } from "./call-context.js";

/** What a request shows of its caller, the same in every binding. */
export interface Credentials {
  /** A header by its lower-case name. Over gRPC, a metadata entry. */
  header(name: string): string | undefined;
  /** A query parameter. Over gRPC, which has no query, the metadata entry of that name. */
  query(name: string): string | undefined;
  cookie(name: string): string | undefined;
  /** The caller's certificate, if the connection has verified one. */
  readonly certificate?: PeerCertificate | undefined;
  /** The caller's address, in front of all trusted proxies. */
  readonly address?: string | undefined;
  /** The id of the request in logs. */
  readonly requestId?: string | undefined;
}

/** A client certificate from an authority that the server trusts, in the shape that node gives it. */
export interface PeerCertificate {
  /** An attribute that occurs several times is a list. */
  readonly subject: {
    readonly CN?: string | readonly string[];
    readonly O?: string | readonly string[];
    readonly OU?: string | readonly string[];
  };
  /** Types and values: `URI:spiffe://example.com/ada, DNS:ada.example.com`. */
  readonly subjectaltname?: string | undefined;
  /** SHA-256 of the certificate, as pairs of hex digits with colons between them. */
  readonly fingerprint256: string;
}

/** Identifies callers, and tells them how to authenticate. */
export interface Authenticator {
  /**
   * The caller; `undefined` for one who may stay anonymous. Rejects with `UNAUTHENTICATED`, or with
   * `PERMISSION_DENIED` when the caller is known but lacks a scope. Neither error tells the caller why.
   */
  authenticate(credentials: Credentials): Promise<Principal | undefined>;
  /** The values of `WWW-Authenticate` for a caller without credentials, one challenge each. */
  readonly challenges: readonly string[];
  /** The same for a caller who is known, but lacks some of the scopes that its call needs. */
  challengesFor?(requiredScopes: readonly string[]): readonly string[];
  /** Adds the security schemes and requirements to a card. */
  declareIn(card: AgentCard): AgentCard;
  /** True when the server has to ask for a certificate when a caller connects. */
  readonly asksForCertificate?: boolean;
}
