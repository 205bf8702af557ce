import { protocolVersions } from "../../protocol/internal.js";
import type { AgentCard, AgentInterface, ProtocolVersion } from "../../protocol/internal.js";

export interface InterfaceChoice {
  /** Bindings the client can use, in its own order of preference; the card's order when absent. */
  readonly bindings?: readonly string[];
  /** Protocol versions the client may use; all of them when absent. */
  readonly versions?: readonly ProtocolVersion[];
}

/** An interface in a version that this client speaks. */
export interface ChosenInterface extends AgentInterface {
  readonly protocolVersion: ProtocolVersion;
}

/** Chooses the first interface of the card that the client can use (§8.3.2); `undefined` when there is none. */
export function chooseInterface(
  card: AgentCard,
  available: readonly string[],
  { bindings, versions = protocolVersions }: InterfaceChoice,
): ChosenInterface | undefined {
  const isUsable = (one: AgentInterface): boolean =>
    available.includes(one.protocolBinding) &&
    versions.some((version) => version === majorMinorOf(one));
  const usable = card.supportedInterfaces.filter(isUsable);
  const inOrder = bindings?.flatMap((binding) =>
    usable.filter(({ protocolBinding }) => protocolBinding === binding),
  );
  const [chosen] = inOrder ?? usable;
  return chosen && { ...chosen, protocolVersion: majorMinorOf(chosen) as ProtocolVersion };
}

/** Major and minor number; the patch number does not affect compatibility. */
export function majorMinorOf({ protocolVersion }: AgentInterface): string {
  return protocolVersion.split(".").slice(0, 2).join(".");
}
