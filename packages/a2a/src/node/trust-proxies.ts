import { parseNetworks } from "./network-list.js";

const loopback = ["127.0.0.0/8", "::1"];

/**
 * Decides which addresses are those of trusted proxies, from a list of addresses, networks such as `10.0.0.0/8`,
 * and `loopback` for this machine. Throws for an entry that is none of these.
 */
export function trustProxies(proxies: readonly string[]): (address: string) => boolean {
  const networks = proxies.flatMap((one) => (one === "loopback" ? loopback : [withoutZone(one)]));
  const trusted = parseNetworks(networks);
  return (address) => trusted.has(withoutZone(address));
}

/** The address of a link-local peer names the interface that it came through: `fe80::1%eth0`. */
function withoutZone(address: string): string {
  return address.replace(/%[^/]*/, "");
}
