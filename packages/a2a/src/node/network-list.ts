import { BlockList, isIP } from "node:net";

/** A list of networks and single addresses. */
export interface NetworkList {
  has(address: string): boolean;
}

/** Parses networks such as `10.1.0.0/16` and single addresses. Throws for an entry that is neither. */
export function parseNetworks(list: readonly string[]): NetworkList {
  const networks = new BlockList();
  for (const network of list) {
    const [address = "", length, ...more] = network.split("/");
    const family = familyOf(address);
    const bits = family === "ipv4" ? 32 : 128;
    const prefix = length === undefined ? bits : Number(/^\d{1,3}$/.exec(length)?.[0]);
    if (family === undefined || more.length > 0 || !(prefix <= bits)) {
      const message = "is not an address, nor a network such as 10.0.0.0/8";
      throw new Error(`${JSON.stringify(network)} ${message}`);
    }
    networks.addSubnet(address, prefix, family);
  }
  return {
    has(address) {
      const family = familyOf(address);
      return family !== undefined && networks.check(address, family);
    },
  };
}

/** Undefined for what is not an address, and for one with a zone, which belongs to an interface of this machine. */
export function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  if (address.includes("%")) return undefined;
  const family = isIP(address);
  return family === 4 ? "ipv4" : family === 6 ? "ipv6" : undefined;
}
