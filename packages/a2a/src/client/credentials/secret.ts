import type { AgentCard, SecurityScheme } from "../../protocol/internal.js";

/** What a source of tokens is asked for. */
export interface TokenRequest {
  /** The scheme as the card describes it. */
  readonly scheme: SecurityScheme;
  /** The scopes that the card requires. */
  readonly scopes: readonly string[];
  /** The only origin that is told the token. */
  readonly origin: string;
  /** A token that was given before and refused, so that it is of no use to give it again. */
  readonly refused?: string;
  readonly signal?: AbortSignal;
}

/** Gives the token of the moment; keeps and refreshes tokens as it likes. */
export type TokenSource = (request: TokenRequest) => string | Promise<string>;

/** A token or key, a name with a password, or where tokens come from. */
export type Secret =
  string | { readonly username: string; readonly password: string } | TokenSource;

/** Secrets by the names that the card gives its schemes. */
export type Secrets = Readonly<Record<string, Secret>>;

/** Where a card came from. */
export interface CardSource {
  /** Absent for a card that the caller has given. */
  readonly cardUrl?: string | undefined;
}

/** What a caller has entrusted to the client for an agent. */
export interface Entrusted extends CardSource {
  readonly card: AgentCard;
  /** The only place that is told any of it: a URL of the origin, or a host with its port. */
  readonly origin: string;
  readonly credentials?: Secrets;
  /** Sent with every request, unless it brings headers of the same names. */
  readonly headers?: Readonly<Record<string, string>>;
}
