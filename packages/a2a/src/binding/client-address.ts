/** The members of one `Forwarded` element, by lower-case name (RFC 7239). */
type ForwardedElement = ReadonlyMap<string, string>;

/** The hops of a request as its proxies report them: in `Forwarded`, else in `X-Forwarded-For`. */
interface Hops {
  readonly elements: readonly ForwardedElement[];
  /** The address of each hop. Every proxy appends the address that called it. */
  readonly addresses: readonly string[];
}

type Header = (name: string) => string | undefined;

export function readHops(header: Header): Hops {
  const elements = listOf(header("forwarded")).map(parseElement);
  const addresses =
    elements.length > 0
      ? elements.map((element) => element.get("for"))
      : listOf(header("x-forwarded-for"));
  return { elements, addresses: addresses.map(withoutPort) };
}

/**
 * The address of a caller: the other end of the connection or, where that is a trusted proxy, the address that
 * called the first trusted proxy. Hops before that are not believed: the caller may have made them up.
 */
export function clientAddress(
  address: string | undefined,
  header: Header,
  trustsProxy: ((address: string) => boolean) | undefined,
): string | undefined {
  if (address === undefined || trustsProxy?.(address) !== true) return address;
  const { addresses } = readHops(header);
  const client = addresses.findLast((one) => !trustsProxy(one)) ?? addresses[0];
  return client !== undefined && /^[\da-f]*[.:][\da-f.:]*$/i.test(client) ? client : address;
}

/** The members of a header whose value is a list. */
export function listOf(value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return value.split(",").map((one) => one.trim());
}

function parseElement(element: string): ForwardedElement {
  return new Map(
    element.split(";").map((pair): [string, string] => {
      const [name = "", value = ""] = pair.split("=", 2);
      return [name.trim().toLowerCase(), value.trim().replaceAll('"', "")];
    }),
  );
}

/** An IPv4 address in its own form: a socket for both families shows it in the form of IPv6. */
export function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** An address without its port. IPv6 has brackets if it has a port, and more than one colon in any case. */
function withoutPort(node = ""): string {
  const [, bracketed] = /^\[([^\]]*)\]/.exec(node) ?? [];
  if (bracketed !== undefined) return bracketed;
  return node.indexOf(":") === node.lastIndexOf(":") ? node.replace(/:\d+$/, "") : node;
}
