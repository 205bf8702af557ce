import type { AgentCard } from "../protocol/index.js";
import type { DecodeAgentCardOptions } from "./decode-agent-card.js";

/** What `decodeAgentCard` does, for clients, which load what it takes when there is a card to read. */
export async function loadAgentCard(
  json: unknown,
  options?: DecodeAgentCardOptions,
): Promise<AgentCard> {
  const { decodeAgentCard } = await import("./decode-agent-card.js");
  return decodeAgentCard(json, options);
}
