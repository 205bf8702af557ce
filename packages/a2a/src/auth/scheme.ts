import type { Credentials, JsonObject, SecurityScheme } from "../protocol/internal.js";

/** Whom one scheme has found, and what it grants. */
export interface Identity {
  /** Who vouches for the subject; the name of the scheme when absent. */
  readonly issuer?: string;
  /** Unique with its issuer. */
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly claims?: JsonObject;
}

/** What a scheme finds in a request. A reason is for the audit log and holds no secret. */
export type Verdict =
  | { readonly kind: "absent" }
  | { readonly kind: "invalid"; readonly reason: string }
  | { readonly kind: "known"; readonly identity: Identity };

/** How `WWW-Authenticate` names a scheme (RFC 9110, 11.6.1). Realm, scope and error are added to it. */
export interface SchemeChallenge {
  readonly scheme: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** One way to authenticate: how cards describe it, how refusals name it, how it is checked. */
export interface Scheme {
  readonly description: SecurityScheme;
  readonly challenge: SchemeChallenge;
  /** Rejects with `UNAVAILABLE` when what it has to ask does not answer. */
  check(credentials: Credentials): Promise<Verdict>;
}

/** Finds out whose a bearer token is; never `absent`. */
export type TokenVerifier = (token: string) => Promise<Verdict>;

export const absent: Verdict = { kind: "absent" };

export function invalid(reason: string): Verdict {
  return { kind: "invalid", reason };
}

export function known(identity: Identity): Verdict {
  return { kind: "known", identity };
}
