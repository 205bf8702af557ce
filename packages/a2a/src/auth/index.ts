/**
 * Who is calling, what a caller may do, and how often. Schemes are declared once; the server then enforces them
 * over every binding, publishes them in cards and names them in refusals. A guard in front of any service asks
 * your rules, counts calls, and writes an audit log.
 */

// Authenticate callers
export { createAuthenticator } from "./create-authenticator.js";
export type { AuthenticatorOptions } from "./create-authenticator.js";
export type { Authenticator, Credentials } from "../protocol/internal.js";

// Schemes
export { apiKey } from "./api-key.js";
export { httpBasic } from "./http-basic.js";
export { httpBearer } from "./http-bearer.js";
export { mutualTls } from "./mutual-tls.js";
export { oauth2 } from "./oauth2.js";
export { openIdConnect } from "./open-id-connect.js";
export type { Identity, Scheme, Verdict } from "./scheme.js";

// Keys, passwords and tokens
export { createKey, hashKey, keyTable } from "./key-table.js";
export { hashPassword } from "./password-hash.js";
export { introspection } from "./introspection.js";
export { jwt } from "./jwt.js";
export type { NewKey, StoredKey } from "./key-table.js";
export type { StoredUser } from "./http-basic.js";
export type { TokenVerifier } from "./scheme.js";

// Say what callers may do
export { guard } from "./guard.js";
export type { GuardOptions } from "./guard.js";
export { meetsRequirements } from "./requirement.js";
export { requireScopes, standardScopes } from "./authorize.js";
export { requireSkills } from "./require-skills.js";
export type { Authorize } from "./authorize.js";

// Limit calls, and write down what was decided
export { CallLimiter } from "./call-limiter.js";
export type { CallLimits } from "./call-limiter.js";
export { watchAuthentication } from "./watch-authentication.js";
export { formatAuditEvent } from "./audit-log.js";
export type { AuditEvent, AuditLog } from "./audit-log.js";
