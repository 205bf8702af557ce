import type { AgentCard } from "./agent-card.js";
import type { Principal } from "./call-context.js";

/** What a request shows of its caller, whatever it came over. */
export interface Credentials {
  /** A header by its lower-case name; metadata over gRPC. */
  header(name: string): string | undefined;
  /** A query parameter. gRPC has no query: metadata of that name stand in for it. */
  query(name: string): string | undefined;
  cookie(name: string): string | undefined;
  /** The certificate of the other end, where the connection has verified one. */
  readonly certificate?: PeerCertificate | undefined;
  /** Where the call comes from, in front of all proxies that are trusted. */
  readonly address?: string | undefined;
  /** What the request is called in logs. */
  readonly requestId?: string | undefined;
}

/** A client certificate that leads to an authority the server trusts. The shape is node's. */
export interface PeerCertificate {
  /** A name in several parts has a list in place of a string. */
  readonly subject: {
    readonly CN?: string | readonly string[];
    readonly O?: string | readonly string[];
    readonly OU?: string | readonly string[];
  };
  /** Kinds and values: `URI:spiffe://example.com/ada, DNS:ada.example.com`. */
  readonly subjectaltname?: string | undefined;
  /** SHA-256 of the certificate, as pairs of hex digits with colons between them. */
  readonly fingerprint256: string;
}

/** Says who is calling, and tells callers how to say it. */
export interface Authenticator {
  /**
   * Who is calling; undefined for one who may stay unknown. Rejects with `UNAUTHENTICATED`, or with
   * `PERMISSION_DENIED` when the caller is known but lacks a scope; nothing in either tells why.
   */
  authenticate(credentials: Credentials): Promise<Principal | undefined>;
  /** What `WWW-Authenticate` tells a caller without credentials: one challenge each. */
  readonly challenges: readonly string[];
  /** The card, with the schemes and what is required of callers. */
  declareIn(card: AgentCard): AgentCard;
  /** Whether the connection has to ask callers for a certificate. */
  readonly asksForCertificate?: boolean;
}
