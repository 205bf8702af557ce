import type {
  APIKeySecurityScheme,
  JsonObject,
  OAuthFlows,
  SecurityRequirement,
  SecurityScheme,
} from "../../protocol/internal.js";
import {
  array,
  implicit,
  literal,
  map,
  members,
  oauth2SchemeOf,
  object,
  parseHttpAuthScheme,
  parseMutualTlsScheme,
  parseOpenIdConnectScheme,
  required,
  string,
  text,
} from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import { compact } from "../members/as-json.js";
import { decodeOAuthFlows } from "./oauth-flows.js";
import { lowerFlows } from "./without-newer-flows.js";

const schemeType = literal("apiKey", "http", "oauth2", "openIdConnect", "mutualTLS");

const apiKey = object<APIKeySecurityScheme>({
  location: required(literal("header", "query", "cookie"), { from: "in" }),
  name: required(text),
  description: implicit(string),
});
const oauth2 = oauth2SchemeOf(decodeOAuthFlows);

/** Decodes a scheme in the form of OpenAPI: `{"type":"http","scheme":"bearer"}`. Keeps all its flows. */
export function decodeSecurityScheme(value: unknown, cursor: Cursor): SecurityScheme {
  const { type } = members(value, cursor);
  const kind = cursor.enter("type", type, schemeType);
  switch (kind) {
    case "apiKey":
      return { apiKeySecurityScheme: apiKey(value, cursor) };
    case "http":
      return { httpAuthSecurityScheme: parseHttpAuthScheme(value, cursor) };
    case "oauth2":
      return { oauth2SecurityScheme: oauth2(value, cursor) };
    case "openIdConnect":
      return { openIdConnectSecurityScheme: parseOpenIdConnectScheme(value, cursor) };
    case "mutualTLS":
      return { mtlsSecurityScheme: parseMutualTlsScheme(value, cursor) };
  }
}

/** Encodes a scheme for readers before 1.0, who know neither the device code flow nor `pkceRequired`. */
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

/** Decodes a requirement in the form of OpenAPI: `{"bearer":["scope"]}`. */
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

/** Adds members that the schema requires and the model's deprecated flows may leave out. */
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
