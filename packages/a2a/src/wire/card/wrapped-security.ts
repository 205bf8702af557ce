import type {
  JsonObject,
  OAuth2SecurityScheme,
  SecurityRequirement,
  SecurityScheme,
  SecuritySchemesByName,
} from "../../protocol/internal.js";
import {
  exactlyOne,
  implicit,
  object,
  optional,
  parseSecurityRequirement,
  required,
  securitySchemeParsers,
  string,
} from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import { asJson } from "../members/as-json.js";
import { pruneMessage, securitySchemeRule } from "./card-presence.js";
import { decodeOAuthFlows, unwrapCase } from "./oauth-flows.js";

const schemeMembers = object<Partial<Record<keyof SecuritySchemesByName, object>>>({
  apiKeySecurityScheme: optional<object>(securitySchemeParsers.apiKeySecurityScheme),
  httpAuthSecurityScheme: optional<object>(securitySchemeParsers.httpAuthSecurityScheme),
  oauth2SecurityScheme: optional<object>(
    object<OAuth2SecurityScheme>({
      flows: required(decodeOAuthFlows),
      oauth2MetadataUrl: implicit(string),
      description: implicit(string),
    }),
  ),
  openIdConnectSecurityScheme: optional<object>(securitySchemeParsers.openIdConnectSecurityScheme),
  mtlsSecurityScheme: optional<object>(securitySchemeParsers.mtlsSecurityScheme),
});

const wrappedScheme = exactlyOne<SecurityScheme>(schemeMembers, Object.keys(securitySchemeParsers));

/** Decodes a scheme inside the member of its kind: `{"httpAuthSecurityScheme":{}}`. Keeps all its flows. */
export function decodeSecurityScheme(value: unknown, cursor: Cursor): SecurityScheme {
  return wrappedScheme(unwrapCase(value, "scheme"), cursor);
}

export function encodeSecurityScheme(scheme: SecurityScheme): JsonObject {
  return pruneMessage(asJson(scheme), securitySchemeRule) as JsonObject;
}

/** Decodes a requirement in the wrapped form: `{"schemes":{"bearer":{"list":["scope"]}}}`. */
export const decodeSecurityRequirement: Parser<SecurityRequirement> = parseSecurityRequirement;

export function encodeSecurityRequirement({ schemes }: SecurityRequirement): JsonObject {
  return {
    schemes: Object.fromEntries(
      Object.entries(schemes).map(([name, { list = [] }]) => [
        name,
        list.length > 0 ? { list } : {},
      ]),
    ),
  };
}
