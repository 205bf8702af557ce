import { addressGroup } from "../../auth/internal.js";
import type { CallContext } from "../../protocol/internal.js";
import type { Owner } from "../../store/internal.js";

/** Callers of whom neither a name nor an address is known. They cannot be told apart, so no share is theirs. */
export const unknownCallers = "";

/**
 * As whom a call counts where callers share a node: as its principal, over all tenants, because a caller can name any
 * number of them; an anonymous caller as its address.
 */
export function shareOf({ principal, address }: CallContext): string {
  if (principal !== undefined) return `principal ${principal.subject}`;
  return address === undefined ? unknownCallers : `address ${addressGroup(address)}`;
}

/** As whom a stored task counts. The store has no addresses, so all anonymous callers share one share there. */
export function shareOfOwner({ subject }: Owner): string {
  return subject === "" ? "stored tasks of anonymous callers" : `principal ${subject}`;
}
