import { familyOf, parseNetworks } from "../network-list.js";

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

/** The public networks of IPv6. Forms that contain an IPv4 address are outside of them, but for Teredo and 6to4. */
const globalNetworks = ["2000::/3"];

const specialGlobalNetworks = [
  "2001::/23", // protocol assignments: Teredo, benchmarking, identifiers that are not addresses
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "3ffe::/16", // the former test network
  "3fff::/20", // documentation
];

const special = parseNetworks(specialNetworks);
const global = parseNetworks(globalNetworks);
const specialGlobal = parseNetworks(specialGlobalNetworks);

/** Whether an address belongs to the public internet, where anybody may send anything. */
export function isPublicAddress(address: string): boolean {
  switch (familyOf(address)) {
    case "ipv4":
      return !special.has(address);
    case "ipv6":
      return global.has(address) && !specialGlobal.has(address);
    case undefined:
      return false;
  }
}
