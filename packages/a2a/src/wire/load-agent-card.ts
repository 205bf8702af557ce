import type { AgentCard } from "../protocol/index.js";
import { Cursor } from "../protocol/parse/index.js";
import { hasInterfaces } from "./card-version.js";
import type { CardPath } from "./card-version.js";
import { decodeAgentCard as decodeCurrent } from "./v1.0/agent-card.js";

/**
 * What `decodeAgentCard` does, for clients: what reads cards before 1.0 is loaded when there is one.
 * Rejects with `INVALID_AGENT_RESPONSE`, naming the member, for what is no card.
 */
export async function loadAgentCard(json: unknown, servedAt?: CardPath): Promise<AgentCard> {
  if (hasInterfaces(json)) {
    return decodeCurrent(json, new Cursor({ code: "INVALID_AGENT_RESPONSE" }));
  }
  const { decodeAgentCard } = await import("./decode-agent-card.js");
  return decodeAgentCard(json, servedAt === undefined ? {} : { servedAt });
}
