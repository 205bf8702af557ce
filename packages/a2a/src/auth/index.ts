/**
 * Who is calling, what it may do, and how much of it: schemes that are declared once, enforced over every
 * binding, published in cards, and told to callers who are refused; a guard that stands in front of any
 * service; limits; and an audit log of what was decided. No cryptography is written here, and nothing is known of sockets.
 */
export { createAuthenticator } from "./create-authenticator.js";
export type { AuthenticatorOptions } from "./create-authenticator.js";
export { meetsRequirements } from "./requirement.js";
export { requireSkills } from "./require-skills.js";
export type { Requirement } from "./requirement.js";
export type { Identity, Scheme, SchemeChallenge, TokenVerifier, Verdict } from "./scheme.js";

export { formatAuditEvent } from "./audit-log.js";
export type { AuditEvent, AuditLog, Resource } from "./audit-log.js";
export { requireScopes, standardScopes } from "./authorize.js";
export type { Authorize, Decision, MissingScopes, ScopeRules } from "./authorize.js";
export { CallLimiter } from "./call-limiter.js";
export type {
  CallerLimits,
  CallLimiterOptions,
  CallLimits,
  LimitedCaller,
} from "./call-limiter.js";
export { guard } from "./guard.js";
export type { GuardOptions } from "./guard.js";
export type { Rate } from "./token-buckets.js";
export { watchAuthentication } from "./watch-authentication.js";
export type { WatchOptions } from "./watch-authentication.js";

export { apiKey } from "./api-key.js";
export type { ApiKeyOptions } from "./api-key.js";
export { createKey, hashKey, keyTable } from "./key-table.js";
export type { NewKey, StoredKey } from "./key-table.js";
export { httpBasic } from "./http-basic.js";
export type { HttpBasicOptions, PasswordVerifier, StoredUser } from "./http-basic.js";
export { hashPassword } from "./password-hash.js";
export { httpBearer } from "./http-bearer.js";
export type { HttpBearerOptions } from "./http-bearer.js";
export { oauth2 } from "./oauth2.js";
export type { OAuth2Options } from "./oauth2.js";
export { openIdConnect } from "./open-id-connect.js";
export type { OpenIdConnectOptions } from "./open-id-connect.js";
export { mutualTls } from "./mutual-tls.js";
export type { MutualTlsOptions } from "./mutual-tls.js";

export { introspection } from "./introspection.js";
export type { IntrospectionOptions } from "./introspection.js";
export { jwt } from "./jwt.js";
export type { JwtOptions } from "./jwt.js";
export type { Fetch, Outside } from "./issuer-fetch.js";
