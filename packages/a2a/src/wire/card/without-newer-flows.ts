import type {
  AgentCard,
  OAuthFlows,
  SecurityRequirement,
  SecurityScheme,
} from "../../protocol/internal.js";

/**
 * Removes from a card what only schemes of 1.0 have: `pkceRequired` and the device code flow. A scheme
 * with no other flow stays, without a flow, if its metadata URL still tells how to get a token. Otherwise
 * the scheme goes, with every requirement that needs it. If no requirement is left, the card asks for no
 * authentication although the server does: a caller of 0.3 cannot authenticate in either case.
 */
export function withoutNewerFlows(card: AgentCard): AgentCard {
  const { securitySchemes, securityRequirements, ...rest } = card;
  if (securitySchemes === undefined) return card;
  const kept = Object.entries(securitySchemes).filter(([, scheme]) => !needsDeviceCode(scheme));
  const keptNames = new Set(kept.map(([name]) => name));
  const satisfiable = (requirement: SecurityRequirement): boolean =>
    Object.keys(requirement.schemes).every(
      (name) => keptNames.has(name) || !Object.hasOwn(securitySchemes, name),
    );
  const schemes = kept.map(([name, scheme]) => [name, lowerScheme(scheme)] as const);
  return {
    ...rest,
    skills: card.skills.map(({ securityRequirements: ofSkill, ...skill }) => ({
      ...skill,
      ...requirementsMember(ofSkill?.filter(satisfiable)),
    })),
    ...(schemes.length > 0 && { securitySchemes: Object.fromEntries(schemes) }),
    ...requirementsMember(securityRequirements?.filter(satisfiable)),
  };
}

function requirementsMember(requirements: readonly SecurityRequirement[] = []): {
  readonly securityRequirements?: readonly SecurityRequirement[];
} {
  return requirements.length > 0 ? { securityRequirements: requirements } : {};
}

function needsDeviceCode({ oauth2SecurityScheme: scheme }: SecurityScheme): boolean {
  return (
    scheme?.flows.deviceCode !== undefined &&
    Object.keys(scheme.flows).length === 1 &&
    scheme.oauth2MetadataUrl === undefined
  );
}

function lowerScheme(scheme: SecurityScheme): SecurityScheme {
  if (scheme.oauth2SecurityScheme === undefined) return scheme;
  const { flows, ...rest } = scheme.oauth2SecurityScheme;
  return { oauth2SecurityScheme: { ...rest, flows: lowerFlows(flows) } };
}

/** Flows without the device code flow and `pkceRequired`. */
export function lowerFlows(given: OAuthFlows): OAuthFlows {
  const { deviceCode: _, authorizationCode, ...flows } = given;
  if (authorizationCode === undefined) return flows;
  const { pkceRequired: __, ...rest } = authorizationCode;
  return { ...flows, authorizationCode: rest };
}
