/**
 * The group in which an address is counted: the first 64 bits of an IPv6 address, because its owner has all
 * addresses of that network; an IPv4 address itself, whether mapped to IPv6 or not.
 */
export function addressGroup(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [plain = ""] = address.toLowerCase().split("%");
  const [head = "", tail] = plain.split("::", 2);
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0");
  const groups = [...first, ...zeros, ...last].map((group) => group.replace(/^0+(?=.)/, ""));
  return `${groups.slice(0, 4).join(":")}::/64`;
}
