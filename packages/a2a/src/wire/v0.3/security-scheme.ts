import type {
  AgentCard,
  APIKeySecurityScheme,
  HTTPAuthSecurityScheme,
  JsonObject,
  MutualTlsSecurityScheme,
  OAuth2SecurityScheme,
  OAuthFlows,
  OpenIdConnectSecurityScheme,
  SecurityRequirement,
  SecurityScheme,
} from "../../protocol/internal.js";
import {
  array,
  implicit,
  literal,
  map,
  members,
  object,
  required,
  string,
  text,
} from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import { compact } from "../members/as-json.js";
import { decodeOAuthFlows } from "../card/oauth-flows.js";

const description = implicit(string);
const schemeType = literal("apiKey", "http", "oauth2", "openIdConnect", "mutualTLS");

const apiKey = object<APIKeySecurityScheme>({
  location: required(literal("header", "query", "cookie"), { from: "in" }),
  name: required(text),
  description,
});
const http = object<HTTPAuthSecurityScheme>({
  scheme: required(text),
  bearerFormat: implicit(string),
  description,
});
const oauth2 = object<OAuth2SecurityScheme>({
  flows: required(decodeOAuthFlows),
  oauth2MetadataUrl: implicit(string),
  description,
});
const openIdConnect = object<OpenIdConnectSecurityScheme>({
  openIdConnectUrl: required(text),
  description,
});
const mutualTls = object<MutualTlsSecurityScheme>({ description });

/** `{"type":"http","scheme":"bearer"}`: a scheme as OpenAPI describes it, flows as found. */
export function decodeSecurityScheme(value: unknown, cursor: Cursor): SecurityScheme {
  const { type } = members(value, cursor);
  const kind = cursor.enter("type", type, schemeType);
  switch (kind) {
    case "apiKey":
      return { apiKeySecurityScheme: apiKey(value, cursor) };
    case "http":
      return { httpAuthSecurityScheme: http(value, cursor) };
    case "oauth2":
      return { oauth2SecurityScheme: oauth2(value, cursor) };
    case "openIdConnect":
      return { openIdConnectSecurityScheme: openIdConnect(value, cursor) };
    case "mutualTLS":
      return { mtlsSecurityScheme: mutualTls(value, cursor) };
  }
}

/** A scheme for readers before 1.0, who know neither the device code flow nor `pkceRequired`. */
export function encodeSecurityScheme(scheme: SecurityScheme): JsonObject {
  if (scheme.apiKeySecurityScheme !== undefined) {
    const { location, name, description: about } = scheme.apiKeySecurityScheme;
    return compact({ type: "apiKey", in: location, name, description: about });
  }
  if (scheme.httpAuthSecurityScheme !== undefined) {
    return compact({ type: "http", ...scheme.httpAuthSecurityScheme });
  }
  if (scheme.oauth2SecurityScheme !== undefined) {
    const { flows, ...rest } = scheme.oauth2SecurityScheme;
    return compact({ type: "oauth2", flows: encodeFlows(flows), ...rest });
  }
  if (scheme.openIdConnectSecurityScheme !== undefined) {
    return compact({ type: "openIdConnect", ...scheme.openIdConnectSecurityScheme });
  }
  return compact({ type: "mutualTLS", ...scheme.mtlsSecurityScheme });
}

const scopesByScheme = map(array(string));

/** `{"bearer":["scope"]}`. */
export const decodeSecurityRequirement: Parser<SecurityRequirement> = (value, cursor) => ({
  schemes: Object.fromEntries(
    Object.entries(scopesByScheme(value, cursor)).map(([name, list]) => [
      name,
      list.length > 0 ? { list } : {},
    ]),
  ),
});

export function encodeSecurityRequirement({ schemes }: SecurityRequirement): JsonObject {
  return Object.fromEntries(Object.entries(schemes).map(([name, { list = [] }]) => [name, list]));
}

/**
 * A card without what only 1.0 has among schemes: `pkceRequired` and the device code flow. A scheme
 * that offered nothing else stays, without a flow, if its metadata URL still says how to get a token;
 * otherwise it goes, and every requirement that needs it. Should no requirement be left, the card asks
 * for no authentication although the server does: a caller of 0.3 has no way in either way.
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

function lowerFlows(given: OAuthFlows): OAuthFlows {
  const { deviceCode: _, authorizationCode, ...flows } = given;
  if (authorizationCode === undefined) return flows;
  const { pkceRequired: __, ...rest } = authorizationCode;
  return { ...flows, authorizationCode: rest };
}

/** The schema requires the members that the model lets the deprecated flows leave out. */
function encodeFlows(flows: OAuthFlows): JsonObject {
  const {
    authorizationCode,
    clientCredentials,
    implicit: implicitFlow,
    password,
  } = lowerFlows(flows);
  return compact({
    authorizationCode: authorizationCode && compact({ ...authorizationCode }),
    clientCredentials: clientCredentials && compact({ ...clientCredentials }),
    implicit: implicitFlow && compact({ authorizationUrl: "", scopes: {}, ...implicitFlow }),
    password: password && compact({ tokenUrl: "", scopes: {}, ...password }),
  });
}
