/**
 * Who is calling, what a caller may do, and how often. Schemes are declared once; the server then enforces them
 * over every binding, publishes them in cards and names them in refusals. A guard in front of any service asks
 * your rules, counts calls, and writes an audit log.
 */

// Authenticate callers
export { createAuthenticator } from "./authenticate/create-authenticator.js";
export type { AuthenticatorOptions } from "./authenticate/create-authenticator.js";
export type { Authenticator, Credentials } from "../protocol/internal.js";

// Schemes
export { apiKey } from "./schemes/api-key.js";
export { httpBasic } from "./schemes/http-basic.js";
export { httpBearer } from "./schemes/http-bearer.js";
export { mutualTls } from "./schemes/mutual-tls.js";
export { oauth2 } from "./schemes/oauth2.js";
export { openIdConnect } from "./schemes/open-id-connect.js";
export { absent, invalid, known } from "./scheme.js";
export type { Identity, Scheme, Verdict } from "./scheme.js";

// Keys, passwords and tokens
export { createKey, hashKey, keyTable } from "./tokens/key-table.js";
export { hashPassword } from "./schemes/password-hash.js";
export { introspection } from "./tokens/introspection.js";
export { jwt } from "./tokens/jwt.js";
export type { NewKey, StoredKey } from "./tokens/key-table.js";
export type { StoredUser } from "./schemes/http-basic.js";
export type { TokenVerifier } from "./scheme.js";

// Say what callers may do
export { guard } from "./guard/guard.js";
export type { GuardOptions } from "./guard/guard.js";
export { meetsRequirements } from "./requirement.js";
export { requireScopes, standardScopes } from "./guard/authorize.js";
export { requireSkills } from "./guard/require-skills.js";
export type { Authorize, Decision } from "./guard/authorize.js";

// Limit calls, and write down what was decided
export { CallLimiter } from "./limits/call-limiter.js";
export type { CallLimits } from "./limits/call-limiter.js";
export { watchAuthentication } from "./authenticate/watch-authentication.js";
export { formatAuditEvent } from "./audit-log.js";
export type { AuditEvent, AuditLog, Resource } from "./audit-log.js";
