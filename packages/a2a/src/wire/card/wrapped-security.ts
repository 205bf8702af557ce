import type { JsonObject, SecurityRequirement, SecurityScheme } from "../../protocol/internal.js";
import { parseSecurityRequirement, securitySchemeOf } from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import { asJson } from "../members/as-json.js";
import { pruneMessage, securitySchemeRule } from "./card-presence.js";
import { decodeOAuthFlows, unwrapCase } from "./oauth-flows.js";

const wrappedScheme = securitySchemeOf(decodeOAuthFlows);

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
