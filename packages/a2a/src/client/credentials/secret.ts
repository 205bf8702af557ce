import type { AgentCard, SecurityScheme } from "../../protocol/internal.js";

/** The request for a token. */
export interface TokenRequest {
  /** The scheme as the card describes it. */
  readonly scheme: SecurityScheme;
  /** The scopes that the card requires. */
  readonly scopes: readonly string[];
  /** The only origin that receives the token. */
  readonly origin: string;
  /** The token that the source gave before and the agent has refused. */
  readonly refused?: string;
  readonly signal?: AbortSignal;
}

/** Gives a valid token; may keep and refresh tokens. */
export type TokenSource = (request: TokenRequest) => string | Promise<string>;

/** A token or key, a user name with a password, or a source of tokens. */
export type Secret =
  string | { readonly username: string; readonly password: string } | TokenSource;

/** Secrets by the names that the card gives its schemes. */
export type Secrets = Readonly<Record<string, Secret>>;

/** Where a card came from. */
export interface CardSource {
  /** Absent when the caller gave the card itself. */
  readonly cardUrl?: string | undefined;
}

/** The secrets that a caller has entrusted to the client for an agent. */
export interface Entrusted extends CardSource {
  readonly card: AgentCard;
  /** The only place that receives them: a URL of the origin, or a host with its port. */
  readonly origin: string;
  readonly credentials?: Secrets;
  /** Sent with every request, unless the request has headers of the same names. */
  readonly headers?: Readonly<Record<string, string>>;
}
