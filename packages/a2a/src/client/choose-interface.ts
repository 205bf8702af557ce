import { A2AError, protocolVersions } from "../protocol/index.js";
import type { AgentCard, AgentInterface, ProtocolVersion } from "../protocol/index.js";

export interface InterfaceChoice {
  /** Bindings the client can use, in its own order of preference; the card's order when absent. */
  readonly bindings?: readonly string[];
  /** Versions the client may use. */
  readonly versions?: readonly ProtocolVersion[];
}

/** An interface in a version that this client speaks. */
export interface ChosenInterface extends AgentInterface {
  readonly protocolVersion: ProtocolVersion;
}

/** The first interface of the card that the client can use (§8.3.2). */
export function chooseInterface(
  card: AgentCard,
  available: readonly string[],
  { bindings, versions = protocolVersions }: InterfaceChoice,
): ChosenInterface {
  const isUsable = (one: AgentInterface): boolean =>
    available.includes(one.protocolBinding) &&
    versions.some((version) => version === versionOf(one));
  const usable = card.supportedInterfaces.filter(isUsable);
  const [chosen] = bindings === undefined ? usable : orderBy(usable, bindings);
  if (chosen !== undefined) {
    return { ...chosen, protocolVersion: versionOf(chosen) as ProtocolVersion };
  }
  throw new A2AError("VERSION_NOT_SUPPORTED", refusal(card, available, { bindings, versions }));
}

function refusal(
  { name, supportedInterfaces }: AgentCard,
  available: readonly string[],
  {
    bindings,
    versions,
  }: { readonly bindings?: readonly string[] | undefined; readonly versions: readonly string[] },
): string {
  const offers = supportedInterfaces.map(
    ({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`,
  );
  const offered = offers.length === 0 ? "nothing" : offers.join(", ");
  const help = supportedInterfaces.flatMap((one) => {
    if (one.protocolBinding === "GRPC" && !available.includes("GRPC")) {
      return ["give connect() `transports: grpcTransports()` of @parley/a2a/grpc to use GRPC"];
    }
    const isSpoken = protocolVersions.some((version) => version === versionOf(one));
    if (!available.includes(one.protocolBinding) || !isSpoken) return [];
    return versions.includes(versionOf(one))
      ? [`allow binding ${one.protocolBinding}`]
      : [`allow version ${versionOf(one)} to use ${one.protocolBinding}`];
  });
  const used = `${(bindings ?? available).join(", ")} in ${versions.join(", ")}`;
  return [`${name} offers ${offered}; this client uses ${used}`, ...new Set(help)].join("; ");
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
