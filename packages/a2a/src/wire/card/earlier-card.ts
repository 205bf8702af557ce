import type {
  AgentCapabilities,
  AgentCard,
  AgentSkill,
  JsonObject,
  SecurityRequirement,
  SecurityScheme,
} from "../../protocol/internal.js";
import { array, boolean, implicit, map, object, optional } from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import { asJson, compact } from "../members/as-json.js";
import { decodeCardAuthentication } from "./card-authentication.js";
import { cardDescription } from "./card-description.js";
import { decodeEarlierInterfaces, listEarlierInterfaces } from "./card-interfaces.js";
import { decodeSecurityRequirement, schemeReader, splitCardSecurity } from "./card-security.js";
import type { CardSecurity } from "./card-security.js";
import { createCardVersionError, inferEarlierCardVersion } from "./card-version.js";
import { withoutNewerFlows } from "./without-newer-flows.js";

/** How a form of 0.3 spells security. All other members of a card are the same in every form. */
interface SecuritySpelling {
  readonly scheme: (scheme: SecurityScheme) => JsonObject;
  readonly requirement: (requirement: SecurityRequirement) => JsonObject;
}

/**
 * Encodes the card for clients of 0.2 and 0.3. The first interface that they can use is the main one, and is
 * also in the list, as 0.3 recommends. Drops the signatures, because they do not cover this form.
 */
export function encodeEarlierCard(given: AgentCard, spelling: SecuritySpelling): JsonObject {
  const interfaces = listEarlierInterfaces(given);
  const [main] = interfaces;
  if (main === undefined) throw createCardVersionError(given, "0.3");
  const card = withoutNewerFlows(given);
  const { extendedAgentCard, ...capabilities } = card.capabilities;
  return compact({
    protocolVersion: "0.3.0",
    name: card.name,
    description: card.description,
    url: main.url,
    preferredTransport: main.protocolBinding,
    additionalInterfaces: interfaces.map(({ url, protocolBinding }) => ({
      url,
      transport: protocolBinding,
    })),
    provider: card.provider && asJson(card.provider),
    iconUrl: card.iconUrl,
    version: card.version,
    documentationUrl: card.documentationUrl,
    capabilities: asJson(capabilities),
    securitySchemes: card.securitySchemes && encodeSchemes(card.securitySchemes, spelling),
    security: card.securityRequirements?.map(spelling.requirement),
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map((skill) => encodeSkill(skill, spelling)),
    supportsAuthenticatedExtendedCard: extendedAgentCard,
  });
}

function encodeSchemes(
  schemes: Readonly<Record<string, SecurityScheme>>,
  { scheme: encode }: SecuritySpelling,
): JsonObject {
  return Object.fromEntries(
    Object.entries(schemes).map(([name, scheme]) => [name, encode(scheme)]),
  );
}

function encodeSkill(skill: AgentSkill, { requirement }: SecuritySpelling): JsonObject {
  const { securityRequirements, ...rest } = skill;
  return compact({ ...rest, security: securityRequirements?.map(requirement) });
}

const requirements = implicit(array(decodeSecurityRequirement), {
  from: "security",
  aliases: ["securityRequirements", "security_requirements"],
});

const describe = cardDescription(requirements);

type PeerCard = Pick<AgentCard, "securitySchemes" | "securityRequirements"> & {
  readonly authentication?: CardSecurity;
  readonly supportsAuthenticatedExtendedCard?: boolean;
};

const peerCard = object<PeerCard>({
  securitySchemes: optional(map(schemeReader("openapi"))),
  securityRequirements: requirements,
  authentication: optional(decodeCardAuthentication),
  supportsAuthenticatedExtendedCard: optional(boolean, { aliases: ["supportsExtendedAgentCard"] }),
});

/**
 * Decodes a peer's card of 0.2 or 0.3, in the form of the JSON schema or in ProtoJSON. Drops its
 * signatures: they cover the document, not the model.
 */
export const decodeEarlierCard: Parser<AgentCard> = (value, cursor) => {
  const { capabilities, ...description } = describe(value, cursor);
  const { supportsAuthenticatedExtendedCard, authentication, ...security } = peerCard(
    value,
    cursor,
  );
  return splitCardSecurity(
    {
      ...description,
      supportedInterfaces: decodeInterfaces(value, cursor),
      capabilities: withExtendedCard(capabilities, supportsAuthenticatedExtendedCard),
      ...(security.securitySchemes === undefined ? authentication : undefined),
      ...security,
    },
    cursor,
  );
};

function decodeInterfaces(value: unknown, cursor: Cursor): AgentCard["supportedInterfaces"] {
  return decodeEarlierInterfaces(value, inferEarlierCardVersion(value), cursor);
}

function withExtendedCard(
  capabilities: AgentCapabilities,
  extendedAgentCard: boolean | undefined,
): AgentCapabilities {
  return extendedAgentCard === undefined ? capabilities : { ...capabilities, extendedAgentCard };
}
