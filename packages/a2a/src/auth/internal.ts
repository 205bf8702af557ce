/**
 * Who is calling, what it may do, and how much of it: schemes that are declared once, enforced over every
 * binding, published in cards, and told to callers who are refused; a guard that stands in front of any
 * service; limits; and an audit log of what was decided. No cryptography is written here, and nothing is known of sockets.
 */
export { formatAuditEvent } from "./audit-log.js";
export type { AuditEvent, AuditLog } from "./audit-log.js";
export type { Authorize } from "./guard/authorize.js";
export { CallLimiter } from "./limits/call-limiter.js";
export type { CallLimits } from "./limits/call-limiter.js";
export { guard } from "./guard/guard.js";
export { watchAuthentication } from "./authenticate/watch-authentication.js";
