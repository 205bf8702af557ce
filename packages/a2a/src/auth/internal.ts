/**
 * Who calls, what a caller may do, and how much of it. Security schemes are declared once: they are
 * enforced over every binding, published in cards, and sent as challenges to callers that are refused. A
 * guard in front of a service authorizes and limits calls; an audit log records the decisions. This layer
 * implements no cryptography and knows no sockets.
 */
export { formatAuditEvent } from "./audit-log.js";
export type { AuditEvent, AuditLog } from "./audit-log.js";
export type { Authorize } from "./guard/authorize.js";
export { addressGroup } from "./limits/address-group.js";
export { CallLimiter } from "./limits/call-limiter.js";
export type { CallLimits } from "./limits/call-limiter.js";
export { TokenBuckets } from "./limits/token-buckets.js";
export type { Rate } from "./limits/token-buckets.js";
export { guard } from "./guard/guard.js";
export { watchAuthentication } from "./authenticate/watch-authentication.js";
