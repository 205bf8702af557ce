import type { AgentCard, AgentInterface } from "../../protocol/internal.js";
import {
  array,
  implicit,
  object,
  optional,
  required,
  string,
  text,
} from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import { majorMinor } from "../version.js";

const bindings: ReadonlySet<string> = new Set(["JSONRPC", "HTTP+JSON", "GRPC"]);

/** A binding in the spelling of the protocol. A custom binding stays as it is. */
function decodeBinding(value: unknown, cursor: Cursor): string {
  const binding = text(value, cursor);
  const upper = binding.toUpperCase();
  return bindings.has(upper) ? upper : binding;
}

function decodeVersion(value: unknown, cursor: Cursor): string {
  const version = text(value, cursor);
  return majorMinor(version) ?? version;
}

type PeerInterface = Omit<AgentInterface, "protocolVersion"> &
  Partial<Pick<AgentInterface, "protocolVersion">>;

const interfaceMembers = object<PeerInterface>({
  url: required(text),
  protocolBinding: required(decodeBinding, { aliases: ["transport"] }),
  protocolVersion: optional(decodeVersion),
  tenant: implicit(string),
});

/** An interface of a 1.0 card. Drafts of 1.0 had no version in it. */
export const decodeInterface: Parser<AgentInterface> = (value, cursor) => ({
  protocolVersion: "1.0",
  ...interfaceMembers(value, cursor),
});

interface Addresses {
  readonly url?: string;
  readonly endpoints?: { readonly base?: string };
  readonly preferredTransport?: string;
  readonly additionalInterfaces?: readonly Pick<AgentInterface, "url" | "protocolBinding">[];
}

const addresses = object<Addresses>({
  url: implicit(string),
  endpoints: optional(object<{ readonly base?: string }>({ base: implicit(string) })),
  preferredTransport: implicit(string),
  additionalInterfaces: optional(
    array(
      object<Pick<AgentInterface, "url" | "protocolBinding">>({
        url: required(text),
        protocolBinding: required(decodeBinding, {
          from: "transport",
          aliases: ["protocolBinding", "protocol_binding"],
        }),
      }),
    ),
    { aliases: ["interfaces"] },
  ),
});

/**
 * The interfaces of a card before 1.0: first the main one, which is JSON-RPC by default, then the
 * additional ones, which often repeat it. All of them have the card's version.
 */
export function decodeEarlierInterfaces(
  value: unknown,
  protocolVersion: string,
  cursor: Cursor,
): readonly AgentInterface[] {
  const {
    url: main,
    endpoints,
    preferredTransport,
    additionalInterfaces = [],
  } = addresses(value, cursor);
  const url = main ?? endpoints?.base;
  if (url === undefined && additionalInterfaces.length === 0) {
    cursor.fail("this member is required", "url");
  }
  const protocolBinding = cursor.enter(
    "preferredTransport",
    preferredTransport ?? "JSONRPC",
    decodeBinding,
  );
  const all = [...(url === undefined ? [] : [{ url, protocolBinding }]), ...additionalInterfaces];
  return unique(all.map((one) => ({ ...one, protocolVersion })));
}

const earlierVersions: ReadonlySet<string | undefined> = new Set(["0.2", "0.3"]);

/**
 * The interfaces for clients of 0.2 and 0.3, in the card's order, each address once. Their schema asks for absolute
 * URLs. So a gRPC address without a scheme, `host:port`, gets the scheme of the card's HTTP interfaces, by which
 * clients of 1.0 call it too.
 */
export function listEarlierInterfaces(card: AgentCard): readonly AgentInterface[] {
  const interfaces = card.supportedInterfaces;
  const scheme = interfaces.some(({ url }) => /^http:/i.test(url)) ? "http" : "https";
  return unique(
    interfaces
      .filter(({ protocolVersion }) => earlierVersions.has(majorMinor(protocolVersion)))
      .map((one) =>
        one.protocolBinding === "GRPC" && !one.url.includes("://")
          ? { ...one, url: `${scheme}://${one.url}` }
          : one,
      ),
  );
}

/**
 * The interface for clients of 0.1, which speak JSON-RPC only. An interface declared for 0.1 comes
 * before those of 0.2 and 0.3.
 */
export function findOldestInterface(card: AgentCard): AgentInterface | undefined {
  const candidates = card.supportedInterfaces.filter(
    ({ protocolBinding, protocolVersion }) =>
      protocolBinding === "JSONRPC" && majorMinor(protocolVersion)?.startsWith("0.") === true,
  );
  return (
    candidates.find(({ protocolVersion }) => majorMinor(protocolVersion) === "0.1") ?? candidates[0]
  );
}

function unique(interfaces: readonly AgentInterface[]): readonly AgentInterface[] {
  const byAddress = new Map<string, AgentInterface>();
  for (const one of interfaces) {
    const address = JSON.stringify([one.url, one.protocolBinding]);
    if (!byAddress.has(address)) byAddress.set(address, one);
  }
  return [...byAddress.values()];
}
