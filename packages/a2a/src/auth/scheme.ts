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

/** The result of checking a request by one scheme. The reason goes into the audit log and holds no secret. */
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

/** Identifies the owner of a bearer token; the verdict is never `absent`. */
export type TokenVerifier = (token: string) => Promise<Verdict>;

export const absent: Verdict = { kind: "absent" };

export function invalid(reason: string): Verdict {
  return { kind: "invalid", reason };
}

export function known(identity: Identity): Verdict {
  return { kind: "known", identity };
}
