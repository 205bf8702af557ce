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

/** The parsers of the objects that describe each kind of scheme. */
export const securitySchemeParsers: {
  readonly [K in keyof SecuritySchemesByName]: Parser<SecuritySchemesByName[K]>;
} = {
  apiKeySecurityScheme: object<APIKeySecurityScheme>({
    location: required(literal("header", "query", "cookie")),
    name: required(text),
    description,
  }),
  httpAuthSecurityScheme: object<HTTPAuthSecurityScheme>({
    scheme: required(text),
    bearerFormat: implicit(string),
    description,
  }),
  oauth2SecurityScheme: object<OAuth2SecurityScheme>({
    flows: required(parseOAuthFlows),
    oauth2MetadataUrl: implicit(string),
    description,
  }),
  openIdConnectSecurityScheme: object<OpenIdConnectSecurityScheme>({
    openIdConnectUrl: required(text),
    description,
  }),
  mtlsSecurityScheme: object<MutualTlsSecurityScheme>({ description }),
};

const schemeNames = Object.keys(securitySchemeParsers) as (keyof SecuritySchemesByName)[];

const schemeFields = Object.fromEntries(
  schemeNames.map((name) => [name, optional<object>(securitySchemeParsers[name])]),
) as unknown as Fields<Partial<SecuritySchemesByName>>;

export const parseSecurityScheme: Parser<SecurityScheme> = exactlyOne(
  object<Partial<SecuritySchemesByName>>(schemeFields),
  schemeNames,
);

export const parseSecurityRequirement: Parser<SecurityRequirement> = object<SecurityRequirement>({
  schemes: required(map(object<StringList>({ list: implicit(array(string)) }))),
});
