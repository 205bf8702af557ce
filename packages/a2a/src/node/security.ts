import { CallLimiter, guard, watchAuthentication } from "../auth/internal.js";
import type { AuditLog, Authorize, CallLimits } from "../auth/internal.js";
import type { AgentService, Authenticator, SendMessageRequest } from "../protocol/internal.js";

/** What callers may do, and how often. */
export interface SecurityOptions {
  /** Decides what callers may do with their own tasks; everything when absent. */
  readonly authorize?: Authorize;
  /** The skill that a message asks for, for `authorize`. */
  readonly skillOf?: (request: SendMessageRequest) => string | undefined;
  /**
   * How often one caller, or one address, may call, and how many streams it may have open. Nodes that share a store share
   * the limits: each grants its part, so that they are approximate.
   */
  readonly callLimits?: CallLimits;
  /** Records the decisions about callers. */
  readonly audit?: AuditLog;
}

/** Puts guards in front of services and authenticators. */
export interface Security {
  guard(service: AgentService): AgentService;
  /** The same for the same authenticator; undefined where anyone may call and calls are not counted. */
  watch(auth: Authenticator | undefined): Authenticator | undefined;
}

/** The guards of one server. Its agents share one limiter, and the live nodes of a cluster share the limits. */
export function createSecurity(
  { authorize, skillOf, callLimits, audit }: SecurityOptions,
  liveNodes: () => number,
): Security {
  const limiter = callLimits && new CallLimiter(callLimits, { liveNodes });
  const watching = {
    ...(limiter !== undefined && { limiter }),
    ...(audit !== undefined && { audit }),
  };
  const watched = new Map<Authenticator | undefined, Authenticator>();
  const isWatched = limiter !== undefined || audit !== undefined;
  const isGuarded = isWatched || authorize !== undefined;
  const rules = {
    ...watching,
    ...(authorize !== undefined && { authorize }),
    ...(skillOf !== undefined && { skillOf }),
  };
  return {
    guard: (service) => (isGuarded ? guard(service, rules) : service),
    watch(auth) {
      if (!isWatched) return auth;
      const known = watched.get(auth) ?? watchAuthentication(auth, watching);
      watched.set(auth, known);
      return known;
    },
  };
}
