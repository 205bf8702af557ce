import { A2AError, protocolVersions } from "../../protocol/internal.js";
import type { AgentCard } from "../../protocol/internal.js";
import { majorMinorOf } from "./choose-interface.js";
import type { InterfaceChoice } from "./choose-interface.js";

/**
 * The error for a card without a usable interface: says what the card offers, what the client uses, and
 * what would help.
 */
export function refuseInterfaces(
  { name, supportedInterfaces }: AgentCard,
  available: readonly string[],
  { bindings, versions = protocolVersions }: InterfaceChoice,
): A2AError {
  const offers = supportedInterfaces.map(
    ({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`,
  );
  const offered = offers.length === 0 ? "nothing" : offers.join(", ");
  const help = supportedInterfaces.flatMap((one) => {
    if (one.protocolBinding === "GRPC" && !available.includes("GRPC")) {
      return ["give connect() `transports: grpcTransports()` of @parley/a2a/grpc to use GRPC"];
    }
    const isSpoken = protocolVersions.some((version) => version === majorMinorOf(one));
    if (!available.includes(one.protocolBinding) || !isSpoken) return [];
    return versions.some((version) => version === majorMinorOf(one))
      ? [`allow binding ${one.protocolBinding}`]
      : [`allow version ${majorMinorOf(one)} to use ${one.protocolBinding}`];
  });
  const used = `${(bindings ?? available).join(", ")} in ${versions.join(", ")}`;
  const sentences = [`${name} offers ${offered}; this client uses ${used}`, ...new Set(help)];
  return new A2AError("VERSION_NOT_SUPPORTED", sentences.join("; "));
}
