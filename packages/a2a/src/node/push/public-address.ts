import { BlockList, isIP } from "node:net";

/** Networks of IPv4 that are not the public internet (RFC 6890 and its successors). */
const specialNetworks = [
  "0.0.0.0/8", // this network, the unspecified address
  "10.0.0.0/8", // private
  "100.64.0.0/10", // shared by carriers; metadata of one cloud
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // the host of every virtual machine of one cloud
  "169.254.0.0/16", // link-local; metadata of most clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments; metadata of one cloud
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
];

/** All that is public in IPv6. Addresses that carry one of IPv4 are outside of it, but for two. */
const globalNetworks = ["2000::/3"];

const specialGlobalNetworks = [
  "2001::/23", // protocol assignments: Teredo, benchmarking, identifiers that are no addresses
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "3ffe::/16", // the test network that was
  "3fff::/20", // documentation
];

const special = networks(specialNetworks);
const global = networks(globalNetworks);
const specialGlobal = networks(specialGlobalNetworks);

/** Whether an address belongs to the public internet, where anybody may send what they like. */
export function isPublicAddress(address: string): boolean {
  switch (familyOf(address)) {
    case "ipv4":
      return !special.check(address, "ipv4");
    case "ipv6":
      return global.check(address, "ipv6") && !specialGlobal.check(address, "ipv6");
    case undefined:
      return false;
  }
}

/** Whether an address is in one of the networks. */
export function isWithin(address: string, list: BlockList): boolean {
  const family = familyOf(address);
  return family !== undefined && list.check(address, family);
}

/** Networks such as `10.1.0.0/16` or single addresses. Throws for what is neither. */
export function networks(list: readonly string[]): BlockList {
  const found = new BlockList();
  for (const network of list) {
    const [address = "", length, ...more] = network.split("/");
    const family = familyOf(address);
    const bits = family === "ipv4" ? 32 : 128;
    const prefix = length === undefined ? bits : Number(/^\d+$/.exec(length)?.[0]);
    if (family === undefined || more.length > 0 || !(prefix <= bits)) {
      throw new Error(`${JSON.stringify(network)} is no network`);
    }
    found.addSubnet(address, prefix, family);
  }
  return found;
}

/** An address with a zone belongs to one of this machine's interfaces and is none of the internet's. */
function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  if (address.includes("%")) return undefined;
  const family = isIP(address);
  return family === 4 ? "ipv4" : family === 6 ? "ipv6" : undefined;
}
