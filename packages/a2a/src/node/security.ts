import { CallLimiter, guard, watchAuthentication } from "../auth/internal.js";
import type { AuditLog, Authorize, CallLimits } from "../auth/internal.js";
import type { AgentService, Authenticator, SendMessageRequest } from "../protocol/internal.js";

/** What callers may do, and how much of it. */
export interface SecurityOptions {
  /** What callers may do with what is theirs; everything when absent. */
  readonly authorize?: Authorize;
  /** The skill that a message asks for, for `authorize`. */
  readonly skillOf?: (request: SendMessageRequest) => string | undefined;
  /** How often and on how many streams at once one caller, or one address, may call. */
  readonly callLimits?: CallLimits;
  /** Where decisions about callers are written down. */
  readonly audit?: AuditLog;
}

/** Puts guards in front of what is served. */
export interface Security {
  guard(service: AgentService): AgentService;
  /** Absent where anyone may call and nobody is counted. */
  watch(auth: Authenticator | undefined): Authenticator | undefined;
}

/** One limiter for all that a server serves. */
export function createSecurity({
  authorize,
  skillOf,
  callLimits,
  audit,
}: SecurityOptions): Security {
  const limiter = callLimits && new CallLimiter(callLimits);
  const watching = {
    ...(limiter !== undefined && { limiter }),
    ...(audit !== undefined && { audit }),
  };
  const isWatched = limiter !== undefined || audit !== undefined;
  const isGuarded = isWatched || authorize !== undefined;
  const rules = {
    ...watching,
    ...(authorize !== undefined && { authorize }),
    ...(skillOf !== undefined && { skillOf }),
  };
  return {
    guard: (service) => (isGuarded ? guard(service, rules) : service),
    watch: (auth) => (isWatched ? watchAuthentication(auth, watching) : auth),
  };
}
