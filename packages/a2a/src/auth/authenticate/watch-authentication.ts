import { A2AError } from "../../protocol/internal.js";
import type { Authenticator, Credentials, Principal } from "../../protocol/internal.js";
import type { AuditEvent, AuditLog } from "../audit-log.js";
import type { CallLimiter } from "../limits/call-limiter.js";

export interface WatchAuthenticationOptions {
  readonly limiter?: CallLimiter;
  readonly audit?: AuditLog;
  readonly now?: () => number;
}

/**
 * An authenticator in front of an authenticator: counts the attempts of each address, failed ones included, and
 * records their outcome. Without an authenticator behind it, all callers stay unknown, and are counted.
 */
export function watchAuthentication(
  authenticator: Authenticator | undefined,
  { limiter, audit, now = Date.now }: WatchAuthenticationOptions,
): Authenticator {
  async function authenticate(credentials: Credentials): Promise<Principal | undefined> {
    try {
      limiter?.admitAddress(credentials.address);
    } catch (error) {
      record(credentials, { decision: "limit", ...refusal(error) });
      throw error;
    }
    if (authenticator === undefined) return undefined;
    try {
      const principal = await authenticator.authenticate(credentials);
      const subject = principal === undefined ? {} : { subject: principal.subject };
      record(credentials, { decision: "authentication", outcome: "allowed", ...subject });
      return principal;
    } catch (error) {
      record(credentials, { decision: "authentication", ...refusal(error) });
      throw error;
    }
  }

  function record(
    { requestId, address }: Credentials,
    decided: Pick<AuditEvent, "decision" | "outcome" | "subject" | "code" | "reason">,
  ): void {
    audit?.record({
      at: new Date(now()).toISOString(),
      ...decided,
      ...(requestId !== undefined && { requestId }),
      ...(address !== undefined && { address }),
    });
  }

  if (authenticator === undefined)
    return { authenticate, challenges: [], declareIn: (card) => card };
  const { challenges, asksForCertificate } = authenticator;
  return {
    authenticate,
    challenges,
    challengesFor: (scopes) => authenticator.challengesFor?.(scopes) ?? [],
    declareIn: (card) => authenticator.declareIn(card),
    ...(asksForCertificate !== undefined && { asksForCertificate }),
  };
}

function refusal(error: unknown): Pick<AuditEvent, "outcome" | "code" | "reason"> {
  const { code, cause } = A2AError.from(error);
  const isPlain = code !== "INTERNAL" && cause instanceof Error;
  return { outcome: "denied", code, ...(isPlain && { reason: cause.message }) };
}
