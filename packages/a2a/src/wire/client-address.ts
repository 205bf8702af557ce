/** Elements of a `Forwarded` header, by lower-case name (RFC 7239). */
type ForwardedElement = ReadonlyMap<string, string>;

/** The hops of a request as its proxies tell them: RFC 7239 first, then what most of them send. */
interface Hops {
  readonly elements: readonly ForwardedElement[];
  /** Each proxy appends whom it was called by. */
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
 * Where a call comes from: the other end of the connection, or, where that is a proxy that is trusted, whom
 * the first proxy that is trusted was called by. What others say before that is hearsay.
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

/** The members of a header that is a list. */
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

/** An address alone; IPv6 has brackets where it has a port, and more than one colon in any case. */
function withoutPort(node = ""): string {
  const [, bracketed] = /^\[([^\]]*)\]/.exec(node) ?? [];
  if (bracketed !== undefined) return bracketed;
  return node.indexOf(":") === node.lastIndexOf(":") ? node.replace(/:\d+$/, "") : node;
}
