import type { LookupAddress } from "node:dns";
import { lookup, Resolver } from "node:dns/promises";

export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * Asks the name servers directly. The operating system's lookup would occupy one of node's few worker threads, which
 * files and cryptography need too, for as long as the name servers of a webhook choose to take. The price: names
 * that only this machine knows are not found.
 */
export function createResolveHost(
  resolver: Resolver = new Resolver({ timeout: 2000, tries: 2 }),
): ResolveHost {
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const found = [...addressesIn(four, 4), ...addressesIn(six, 6)];
    if (found.length === 0 && four.status === "rejected") throw four.reason;
    return found;
  };
}

/** Asks the operating system, which also knows local names. */
export const resolveLocally: ResolveHost = (hostname) => lookup(hostname, { all: true });

function addressesIn(answer: PromiseSettledResult<string[]>, family: number): LookupAddress[] {
  return answer.status === "rejected" ? [] : answer.value.map((address) => ({ address, family }));
}
