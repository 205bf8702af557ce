import type { AgentCard } from "@parley/a2a";

/** A card that says nothing of its agent but where it is. */
export function bareCard(
  url: string,
  protocolBinding: string,
  others: Partial<AgentCard> = {},
): AgentCard {
  return {
    name: "Somewhere",
    description: "…",
    version: "1",
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    supportedInterfaces: [{ url, protocolBinding, protocolVersion: "1.0" }],
    ...others,
  };
}
