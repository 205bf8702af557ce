import type { Authenticator, HostedAgent, JsonObject, Limits } from "../protocol/internal.js";
import type { CardForm } from "../wire/internal.js";

/** Where an agent is found on a server. */
export interface Mount {
  readonly agent: HostedAgent;
  /** The path of its base URL, such as `/travel`; the root when absent. */
  readonly path?: string;
  /**
   * Put into every call, and into the card's interfaces. Agents of different tenants can share a path;
   * one without serves every tenant that has none of its own.
   */
  readonly tenant?: string;
  /** Who may call this agent: instead of the server's; anyone, with `false`. */
  readonly auth?: Authenticator | false;
}

export interface CorsOptions {
  /** Origins that pages may call from; `*` for all. */
  readonly origins: "*" | readonly string[];
  /** Lets pages send cookies and credentials. Never with `*`. */
  readonly credentials?: boolean;
}

/** The agents that a server offers over HTTP, and how it serves them. */
export interface HttpOptions {
  readonly mounts: readonly Mount[];
  readonly limits?: Limits;
  /** Refuses 1.0 calls that do not name their version, as the specification has it. */
  readonly strictVersion?: boolean;
  /** Silence on a stream after which a comment is sent, so that proxies keep it open; 15 s when absent. */
  readonly heartbeatMs?: number;
  /** What callers reach this server under, such as `https://agents.example.com`. */
  readonly publicUrl?: string;
  /** Whether `Forwarded` and `X-Forwarded-*` of a connection from this address are believed. */
  readonly trustsProxy?: (address: string) => boolean;
  /** Whether calls that are addressed to this host are answered; all when absent. Cards always are. */
  readonly allowsHost?: (host: string) => boolean;
  /** A gRPC address to list in the card, as `host:port`. */
  readonly grpcAddress?: string;
  readonly cors?: CorsOptions;
  readonly cardMaxAgeSeconds?: number;
  /** Adds signatures to a card in the form it is served in. */
  readonly signCard?: (card: JsonObject, form: CardForm) => Promise<JsonObject>;
  /** Who may call, unless a mount says otherwise; anyone when absent. */
  readonly auth?: Authenticator;
  /** The public keys of this server as a JSON Web Key Set, served at `/.well-known/jwks.json`. */
  readonly publicKeys?: () => Promise<JsonObject>;
  /** Hears of errors that callers are told nothing about. Default: one line on the console. */
  readonly reportFailure?: (error: unknown) => void;
}
