import { BlockList, isIP } from "node:net";

/**
 * Decides which addresses are those of trusted proxies, from a list of addresses, networks such as `10.0.0.0/8`,
 * and `loopback` for this machine. Throws for an entry that is none of these.
 */
export function trustProxies(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const proxy of proxies.flatMap((one) => (one === "loopback" ? loopback : [one]))) {
    const [address = "", prefix, ...rest] = proxy.split("/");
    const family = familyOf(address);
    const longest = family === "ipv4" ? 32 : 128;
    const bits = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN;
    if (family === undefined || rest.length > 0 || !(bits <= longest)) {
      throw new Error(
        `${JSON.stringify(proxy)} is not an address, nor a network such as 10.0.0.0/8`,
      );
    }
    list.addSubnet(address, bits, family);
  }
  return (address) => {
    const family = familyOf(address);
    return family !== undefined && list.check(address, family);
  };
}

const loopback = ["127.0.0.0/8", "::1"];

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  const family = isIP(address);
  return family === 4 ? "ipv4" : family === 6 ? "ipv6" : undefined;
}
