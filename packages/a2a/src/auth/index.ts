/**
 * Who calls, what a caller may do, and how much of it. Security schemes are declared once: they are
 * enforced over every binding, published in cards, and sent as challenges to callers that are refused. A
 * guard in front of a service authorizes and limits calls; an audit log records the decisions. This layer
 * implements no cryptography and knows no sockets.
 */
export { createAuthenticator } from "./authenticate/create-authenticator.js";
export type { AuthenticatorOptions } from "./authenticate/create-authenticator.js";
export { meetsRequirements } from "./requirement.js";
export { requireSkills } from "./guard/require-skills.js";
export type { Requirement } from "./requirement.js";
export type { Identity, Scheme, SchemeChallenge, TokenVerifier, Verdict } from "./scheme.js";

export { formatAuditEvent } from "./audit-log.js";
export type { AuditEvent, AuditLog, Resource } from "./audit-log.js";
export { requireScopes, standardScopes } from "./guard/authorize.js";
export type { Authorize, Decision, MissingScopes, ScopeRules } from "./guard/authorize.js";
export { CallLimiter } from "./limits/call-limiter.js";
export type {
  CallerLimits,
  CallLimiterOptions,
  CallLimits,
  LimitedCaller,
} from "./limits/call-limiter.js";
export { guard } from "./guard/guard.js";
export type { GuardOptions } from "./guard/guard.js";
export type { Rate } from "./limits/token-buckets.js";
export { watchAuthentication } from "./authenticate/watch-authentication.js";
export type { WatchAuthenticationOptions } from "./authenticate/watch-authentication.js";

export { apiKey } from "./schemes/api-key.js";
export type { ApiKeyOptions } from "./schemes/api-key.js";
export { createKey, hashKey, keyTable } from "./tokens/key-table.js";
export type { NewKey, StoredKey } from "./tokens/key-table.js";
export { httpBasic } from "./schemes/http-basic.js";
export type { HttpBasicOptions, PasswordVerifier, StoredUser } from "./schemes/http-basic.js";
export { hashPassword } from "./schemes/password-hash.js";
export { httpBearer } from "./schemes/http-bearer.js";
export type { HttpBearerOptions } from "./schemes/http-bearer.js";
export { oauth2 } from "./schemes/oauth2.js";
export type { OAuth2Options } from "./schemes/oauth2.js";
export { openIdConnect } from "./schemes/open-id-connect.js";
export type { OpenIdConnectOptions } from "./schemes/open-id-connect.js";
export { mutualTls } from "./schemes/mutual-tls.js";
export type { MutualTlsOptions } from "./schemes/mutual-tls.js";

export { introspection } from "./tokens/introspection.js";
export type { IntrospectionOptions } from "./tokens/introspection.js";
export { jwt } from "./tokens/jwt.js";
export type { JwtOptions } from "./tokens/jwt.js";
export type { Fetch, Outside } from "./tokens/issuer-fetch.js";
