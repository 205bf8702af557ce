import type { AgentCard, JsonObject, JsonValue } from "../../protocol/internal.js";
import { encodeAgentCardWith } from "../v0.3/agent-card.js";
import { encodeSecurityRequirement, encodeSecurityScheme } from "../v1.0/security-scheme.js";

export { decodeAgentCard } from "../v0.3/agent-card.js";

/** The card of 0.3 in ProtoJSON: wrapped schemes and requirements, and no flag that is false. */
export function encodeAgentCard(card: AgentCard): JsonObject {
  const { capabilities, ...members } = encodeAgentCardWith(card, {
    scheme: encodeSecurityScheme,
    requirement: encodeSecurityRequirement,
  });
  return withoutFalse({ ...members, capabilities: withoutFalse(capabilities as JsonObject) });
}

function withoutFalse(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]: [string, JsonValue]) => value !== false),
  );
}
