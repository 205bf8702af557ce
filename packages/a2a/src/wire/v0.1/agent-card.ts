import type { AgentCard, AgentSkill, JsonObject } from "../../protocol/internal.js";
import { array, implicit, object, optional } from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import { decodeCardAuthentication, encodeCardAuthentication } from "../card/card-authentication.js";
import { cardDescription } from "../card/card-description.js";
import { decodeEarlierInterfaces, findOldestInterface } from "../card/card-interfaces.js";
import { decodeSecurityRequirement } from "../card/card-security.js";
import type { CardSecurity } from "../card/card-security.js";
import { createCardVersionError } from "../card/card-version.js";
import { asJson, compact } from "../members/as-json.js";

/** Encodes the card for clients of 0.1, who know one URL, JSON-RPC and a list of authentication schemes. */
export function encodeAgentCard(card: AgentCard): JsonObject {
  const main = findOldestInterface(card);
  if (main === undefined) throw createCardVersionError(card, "0.1");
  const { streaming, pushNotifications, stateTransitionHistory } = card.capabilities;
  return compact({
    name: card.name,
    description: card.description,
    url: main.url,
    provider: card.provider && asJson(card.provider),
    version: card.version,
    documentationUrl: card.documentationUrl,
    capabilities: compact({ streaming, pushNotifications, stateTransitionHistory }),
    authentication: encodeCardAuthentication(card),
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map(encodeSkill),
  });
}

function encodeSkill(skill: AgentSkill): JsonObject {
  const { securityRequirements: _, ...rest } = skill;
  return asJson(rest);
}

const describe = cardDescription(implicit(array(decodeSecurityRequirement)));

const peerCard = object<{ readonly authentication?: CardSecurity }>({
  authentication: optional(decodeCardAuthentication),
});

/** Decodes a peer's card of 0.1. */
export const decodeAgentCard: Parser<AgentCard> = (value, cursor) => ({
  ...describe(value, cursor),
  supportedInterfaces: decodeEarlierInterfaces(value, "0.1", cursor),
  ...peerCard(value, cursor).authentication,
});
