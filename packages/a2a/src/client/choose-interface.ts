import { A2AError, protocolVersions } from "../protocol/index.js";
import type { AgentCard, AgentInterface, ProtocolVersion } from "../protocol/index.js";

export interface InterfaceChoice {
  /** Bindings the client can use, in its own order of preference; the card's order when absent. */
  readonly bindings?: readonly string[];
  /** Versions the client may use. */
  readonly versions?: readonly ProtocolVersion[];
}

/** The first interface of the card that the client can use (§8.3.2). */
export function chooseInterface(
  card: AgentCard,
  available: readonly string[],
  { bindings, versions = protocolVersions }: InterfaceChoice,
): AgentInterface & { readonly protocolVersion: ProtocolVersion } {
  const isUsable = (one: AgentInterface): boolean =>
    available.includes(one.protocolBinding) &&
    versions.some((version) => version === versionOf(one));
  const usable = card.supportedInterfaces.filter(isUsable);
  const [chosen] = bindings === undefined ? usable : orderBy(usable, bindings);
  if (chosen !== undefined) {
    return { ...chosen, protocolVersion: versionOf(chosen) as ProtocolVersion };
  }
  const offers = card.supportedInterfaces.map(
    ({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`,
  );
  const offered = offers.length === 0 ? "nothing" : offers.join(", ");
  const help = offers.some((offer) => offer.startsWith("GRPC"))
    ? "; give connect() a gRPC transport to use GRPC"
    : "";
  throw new A2AError(
    "VERSION_NOT_SUPPORTED",
    `${card.name} offers ${offered}; this client uses ${(bindings ?? available).join(", ")} in ` +
      `${versions.join(", ")}${help}`,
  );
}

function orderBy(
  interfaces: readonly AgentInterface[],
  bindings: readonly string[],
): readonly AgentInterface[] {
  return bindings.flatMap((binding) =>
    interfaces.filter(({ protocolBinding }) => protocolBinding === binding),
  );
}

/** Major and minor; the patch number says nothing about compatibility. */
function versionOf({ protocolVersion }: AgentInterface): string {
  return protocolVersion.split(".").slice(0, 2).join(".");
}
