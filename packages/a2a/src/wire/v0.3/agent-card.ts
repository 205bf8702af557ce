import type { AgentCard, JsonObject } from "../../protocol/internal.js";
import { encodeEarlierCard } from "../card/earlier-card.js";
import { encodeSecurityRequirement, encodeSecurityScheme } from "../card/openapi-security.js";
import { encodeSecurityScheme as encodeWrappedScheme } from "../card/wrapped-security.js";

export { decodeEarlierCard as decodeAgentCard } from "../card/earlier-card.js";

/** Encodes the card for JSON-RPC and for discovery, with security in the form of OpenAPI. */
export function encodeAgentCard(card: AgentCard): JsonObject {
  return encodeEarlierCard(card, {
    scheme: encodeSecurityScheme,
    requirement: encodeSecurityRequirement,
  });
}

/**
 * Encodes the card for REST. Some of its readers know only the schemes of the JSON schema; others, such
 * as the official JavaScript client, only those of the proto. So each scheme is written in both forms. A
 * requirement cannot have both; it has the form of the schema.
 */
export function encodeRestAgentCard(card: AgentCard): JsonObject {
  return encodeEarlierCard(card, {
    scheme: (scheme) => ({ ...encodeSecurityScheme(scheme), ...encodeWrappedScheme(scheme) }),
    requirement: encodeSecurityRequirement,
  });
}
