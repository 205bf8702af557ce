import type { AgentCard, JsonObject, JsonValue } from "../../protocol/internal.js";
import { encodeEarlierCard } from "../card/earlier-card.js";
import { encodeSecurityRequirement, encodeSecurityScheme } from "../card/wrapped-security.js";

export { decodeEarlierCard as decodeAgentCard } from "../card/earlier-card.js";

/**
 * Encodes the card of 0.3 in ProtoJSON: with wrapped schemes and requirements, without flags that are false, and without
 * `stateTransitionHistory`, which the proto does not have.
 */
export function encodeAgentCard(card: AgentCard): JsonObject {
  const { capabilities, ...members } = encodeEarlierCard(card, {
    scheme: encodeSecurityScheme,
    requirement: encodeSecurityRequirement,
  });
  const { stateTransitionHistory: _, ...known } = capabilities as JsonObject;
  return withoutFalse({ ...members, capabilities: withoutFalse(known) });
}

function withoutFalse(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]: [string, JsonValue]) => value !== false),
  );
}
