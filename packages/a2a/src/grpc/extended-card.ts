import { invokeExtendedCard } from "../binding/internal.js";
import type { Call, MountedAgent } from "../binding/internal.js";
import type { AgentInterface, JsonValue } from "../protocol/internal.js";
import type { Exchange } from "./open-call.js";

/** Asks the agent for its extended card. */
export async function answerExtendedCard(exchange: Exchange, call: Call): Promise<JsonValue> {
  const { agent, codec } = call;
  const url = exchange.call.getHost();
  const card = await invokeExtendedCard(call, () => interfacesAt(url, agent));
  return codec.encodeResult.getExtendedAgentCard(card, {});
}

/** The versions at which an agent is reached at an address. Callers before 1.0 cannot name an agent. */
function interfacesAt(url: string, { name, isDefault }: MountedAgent): readonly AgentInterface[] {
  const versions = isDefault ? ["1.0", "0.3", "0.2"] : ["1.0"];
  return versions.map((protocolVersion) => ({
    url,
    protocolBinding: "GRPC",
    protocolVersion,
    ...(name !== undefined && { tenant: name }),
  }));
}
