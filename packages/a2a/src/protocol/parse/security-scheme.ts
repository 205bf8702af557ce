import type {
  APIKeySecurityScheme,
  AuthorizationCodeOAuthFlow,
  ClientCredentialsOAuthFlow,
  DeviceCodeOAuthFlow,
  HTTPAuthSecurityScheme,
  ImplicitOAuthFlow,
  MutualTlsSecurityScheme,
  OAuth2SecurityScheme,
  OAuthFlows,
  OpenIdConnectSecurityScheme,
  PasswordOAuthFlow,
  SecurityRequirement,
  SecurityScheme,
  SecuritySchemesByName,
  StringList,
} from "../security-scheme.js";
import { array, map } from "./collections.js";
import type { Parser } from "./cursor.js";
import type { Fields } from "./object.js";
import { exactlyOne, implicit, object, optional, required } from "./object.js";
import { boolean, literal, string, text } from "./primitives.js";

const scopes = map(string);
const description = implicit(string);

const parseOAuthFlows: Parser<OAuthFlows> = (value, cursor) => {
  const flows = object<OAuthFlows>({
    authorizationCode: optional(
      object<AuthorizationCodeOAuthFlow>({
        authorizationUrl: required(text),
        tokenUrl: required(text),
        refreshUrl: implicit(string),
        scopes: required(scopes),
        pkceRequired: implicit(boolean),
      }),
    ),
    clientCredentials: optional(
      object<ClientCredentialsOAuthFlow>({
        tokenUrl: required(text),
        refreshUrl: implicit(string),
        scopes: required(scopes),
      }),
    ),
    implicit: optional(
      object<ImplicitOAuthFlow>({
        authorizationUrl: implicit(string),
        refreshUrl: implicit(string),
        scopes: optional(scopes),
      }),
    ),
    password: optional(
      object<PasswordOAuthFlow>({
        tokenUrl: implicit(string),
        refreshUrl: implicit(string),
        scopes: optional(scopes),
      }),
    ),
    deviceCode: optional(
      object<DeviceCodeOAuthFlow>({
        deviceAuthorizationUrl: required(text),
        tokenUrl: required(text),
        refreshUrl: implicit(string),
        scopes: required(scopes),
      }),
    ),
  })(value, cursor);
  const count = Object.keys(flows).length;
  if (count > 1) cursor.fail(`expected at most one flow, got ${count}`);
  return flows;
};

export const parseHttpAuthScheme: Parser<HTTPAuthSecurityScheme> = object<HTTPAuthSecurityScheme>({
  scheme: required(text),
  bearerFormat: implicit(string),
  description,
});

export const parseOpenIdConnectScheme: Parser<OpenIdConnectSecurityScheme> =
  object<OpenIdConnectSecurityScheme>({ openIdConnectUrl: required(text), description });

export const parseMutualTlsScheme: Parser<MutualTlsSecurityScheme> =
  object<MutualTlsSecurityScheme>({ description });

/* @__NO_SIDE_EFFECTS__ */
export function oauth2SchemeOf(flows: Parser<OAuthFlows>): Parser<OAuth2SecurityScheme> {
  return object<OAuth2SecurityScheme>({
    flows: required(flows),
    oauth2MetadataUrl: implicit(string),
    description,
  });
}

/** Parses a scheme with the given parser of its OAuth flows. */
/* @__NO_SIDE_EFFECTS__ */
export function securitySchemeOf(flows: Parser<OAuthFlows>): Parser<SecurityScheme> {
  const fields: Fields<Partial<SecuritySchemesByName>> = {
    apiKeySecurityScheme: optional(
      object<APIKeySecurityScheme>({
        location: required(literal("header", "query", "cookie")),
        name: required(text),
        description,
      }),
    ),
    httpAuthSecurityScheme: optional(parseHttpAuthScheme),
    oauth2SecurityScheme: optional(oauth2SchemeOf(flows)),
    openIdConnectSecurityScheme: optional(parseOpenIdConnectScheme),
    mtlsSecurityScheme: optional(parseMutualTlsScheme),
  };
  return exactlyOne(object<Partial<SecuritySchemesByName>>(fields), Object.keys(fields));
}

/** A scheme in the model's own form, which has one flow at most. */
export const parseSecurityScheme: Parser<SecurityScheme> = securitySchemeOf(parseOAuthFlows);

export const parseSecurityRequirement: Parser<SecurityRequirement> = object<SecurityRequirement>({
  schemes: required(map(object<StringList>({ list: implicit(array(string)) }))),
});
