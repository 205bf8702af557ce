import type { AgentCard, JsonObject, JsonValue } from "../../protocol/internal.js";
import {
  array,
  boolean,
  implicit,
  map,
  object,
  optional,
  parseAgentCardSignature,
  required,
} from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import { cardDescription } from "../card/card-description.js";
import { decodeInterface } from "../card/card-interfaces.js";
import { agentCardRule, pruneMessage } from "../card/card-presence.js";
import {
  decodeSecurityRequirement,
  schemeReader,
  splitCardSecurity,
} from "../card/card-security.js";
import { asJson } from "../members/as-json.js";

/**
 * Encodes the model's own form, without the members that mean the same when they are absent, and without the capability
 * that 1.0 does not have.
 */
export function encodeAgentCard(card: AgentCard): JsonObject {
  const { stateTransitionHistory: _, ...capabilities } = card.capabilities;
  return pruneMessage(asJson({ ...card, capabilities }), agentCardRule) as JsonObject;
}

/** The sample card of 1.0.0 and 1.0.1 calls them `security`, and peers have copied it. */
const requirements = implicit(array(decodeSecurityRequirement), { aliases: ["security"] });

const describe = cardDescription(requirements);

type PeerCard = Pick<
  AgentCard,
  "supportedInterfaces" | "securitySchemes" | "securityRequirements" | "signatures"
> & { readonly supportsExtendedAgentCard?: boolean };

const peerCard = object<PeerCard>({
  supportedInterfaces: required(array(decodeInterface), { aliases: ["interfaces"] }),
  securitySchemes: optional(map(schemeReader("wrapped"))),
  securityRequirements: requirements,
  signatures: implicit(array(parseAgentCardSignature)),
  supportsExtendedAgentCard: optional(boolean, {
    aliases: ["supportsAuthenticatedExtendedCard", "supports_authenticated_extended_card"],
  }),
});

/**
 * Decodes a peer's card in the form of 1.0, pure or blended with the members of earlier versions. Reads
 * only the content that a signature covers, so that no uncovered member can replace a covered one.
 */
export const decodeAgentCard: Parser<AgentCard> = (value, cursor) => {
  const content = pruneMessage(value as JsonValue, agentCardRule);
  const { capabilities, ...description } = describe(content, cursor);
  const { supportsExtendedAgentCard, ...members } = peerCard(content, cursor);
  if (members.supportedInterfaces.length === 0) {
    cursor.fail("expected at least one interface, got none", "supportedInterfaces");
  }
  return splitCardSecurity(
    {
      ...description,
      ...members,
      capabilities: {
        ...(supportsExtendedAgentCard !== undefined && {
          extendedAgentCard: supportsExtendedAgentCard,
        }),
        ...capabilities,
      },
    },
    cursor,
  );
};
