import { addressGroup } from "../../auth/internal.js";
import type { CallContext } from "../../protocol/internal.js";
import type { Owner } from "../../store/internal.js";

const named = "principal ";

/** Callers of whom neither a name nor an address is known. They cannot be told apart, so no share is theirs. */
export const unknownCallers = "";

/**
 * As whom a call counts where callers share a node: as its principal, over all tenants, because a caller can name any
 * number of them; an anonymous caller as its address.
 */
export function shareOf({ principal, address }: CallContext): string {
  if (principal !== undefined) return `${named}${principal.subject}`;
  if (address === undefined) return unknownCallers;
  if (address !== latest.address) latest = { address, share: `address ${addressGroup(address)}` };
  return latest.share;
}

/** Behind a proxy, and on one machine, a call often comes from where the call before came from. */
let latest = { address: "", share: "" };

const storedAnonymous = "stored tasks of anonymous callers";

/** As whom a stored task counts. The store has no addresses, so all anonymous callers share one share there. */
export function shareOfOwner({ subject }: Pick<Owner, "subject">): string {
  return subject === "" ? storedAnonymous : `${named}${subject}`;
}

/** The subjects whose stored tasks count as one of these shares. */
export function subjectsOf(shares: readonly string[]): string[] {
  return shares.flatMap((share) => {
    if (share === storedAnonymous) return "";
    return share.startsWith(named) ? share.slice(named.length) : [];
  });
}
