import type { Credentials, JsonObject, SecurityScheme } from "../protocol/internal.js";

/** The caller that one scheme has identified, and what the scheme grants it. */
export interface Identity {
  /** The issuer of the subject; the name of the scheme when absent. */
  readonly issuer?: string;
  /** Unique per issuer. */
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly claims?: JsonObject;
}

/**
 * The result of checking a request by one scheme: the caller showed nothing for it, or something that is not valid, or who
 * it is. Make it with `known` and `invalid`. Anything else is a mistake in the server's code: the caller gets an internal
 * error, and the log a `WrongVerdict` that names the scheme.
 */
export type Verdict =
  | { readonly kind: "absent" }
  | { readonly kind: "invalid"; readonly reason: string }
  | { readonly kind: "known"; readonly identity: Identity };

/** How `WWW-Authenticate` names a scheme (RFC 9110, 11.6.1), without realm, scope and error. */
export interface SchemeChallenge {
  readonly scheme: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A way to authenticate: its description in cards, its challenge in refusals, and its check. */
export interface Scheme {
  readonly description: SecurityScheme;
  readonly challenge: SchemeChallenge;
  /** Checks a request. Rejects with `UNAVAILABLE` when a service that it depends on does not answer. */
  check(credentials: Credentials): Promise<Verdict>;
}

/**
 * Identifies the owner of a token or key: `known({ subject, scopes })`, or `invalid(reason)`, never `absent`. May reject with
 * `UNAVAILABLE` when a service that it depends on does not answer.
 */
export type TokenVerifier = (token: string) => Promise<Verdict>;

/** The caller showed nothing for this scheme. */
export const absent: Verdict = { kind: "absent" };

/** What the caller showed is not valid. The reason goes into the audit log, not to the caller, and holds no secret. */
export function invalid(reason: string): Verdict {
  return { kind: "invalid", reason };
}

/** The caller is this one, and is granted these scopes; none when absent. */
export function known(
  identity: Omit<Identity, "scopes"> & Partial<Pick<Identity, "scopes">>,
): Verdict {
  const { scopes = [] } = identity;
  return { kind: "known", identity: { ...identity, scopes } };
}
