import type { AgentCard, JsonObject } from "../../protocol/internal.js";
import { encodeEarlierCard } from "../card/earlier-card.js";
import { encodeSecurityRequirement, encodeSecurityScheme } from "../card/openapi-security.js";
import { encodeSecurityScheme as encodeWrappedScheme } from "../card/wrapped-security.js";

export { decodeEarlierCard as decodeAgentCard } from "../card/earlier-card.js";

/**
 * The card for clients of 0.2 and 0.3: the interfaces they can use, the first of them as the main one
 * and again in the list, as 0.3 recommends. Signatures are left out, since none survives this.
 */
export function encodeAgentCard(card: AgentCard): JsonObject {
  return encodeEarlierCard(card, {
    scheme: encodeSecurityScheme,
    requirement: encodeSecurityRequirement,
  });
}

/**
 * The card over REST, some of whose readers know schemes by the JSON schema and others, the official
 * JavaScript client among them, by the proto, and refuse all others: so each is written in both ways.
 * A requirement cannot be, and is the schema's.
 */
export function encodeRestAgentCard(card: AgentCard): JsonObject {
  return encodeEarlierCard(card, {
    scheme: (scheme) => ({ ...encodeSecurityScheme(scheme), ...encodeWrappedScheme(scheme) }),
    requirement: encodeSecurityRequirement,
  });
}
