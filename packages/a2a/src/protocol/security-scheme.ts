/** An API key in a header, a query parameter or a cookie (§4.5.2). */
export interface APIKeySecurityScheme {
  readonly location: "header" | "query" | "cookie";
  readonly name: string;
  readonly description?: string;
}

/** An HTTP authentication scheme such as `Bearer` or `Basic` (§4.5.3). */
export interface HTTPAuthSecurityScheme {
  readonly scheme: string;
  readonly bearerFormat?: string;
  readonly description?: string;
}

export interface AuthorizationCodeOAuthFlow {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly refreshUrl?: string;
  readonly scopes: Readonly<Record<string, string>>;
  readonly pkceRequired?: boolean;
}

export interface ClientCredentialsOAuthFlow {
  readonly tokenUrl: string;
  readonly refreshUrl?: string;
  readonly scopes: Readonly<Record<string, string>>;
}

/** Deprecated by the protocol; still read, because cards have it. */
export interface ImplicitOAuthFlow {
  readonly authorizationUrl?: string;
  readonly refreshUrl?: string;
  readonly scopes?: Readonly<Record<string, string>>;
}

/** Deprecated by the protocol; still read, because cards have it. */
export interface PasswordOAuthFlow {
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
  readonly scopes?: Readonly<Record<string, string>>;
}

export interface DeviceCodeOAuthFlow {
  readonly deviceAuthorizationUrl: string;
  readonly tokenUrl: string;
  readonly refreshUrl?: string;
  readonly scopes: Readonly<Record<string, string>>;
}

/** The flows by name; a scheme offers at most one of them (§4.5.7). */
export interface OAuthFlowsByName {
  readonly authorizationCode: AuthorizationCodeOAuthFlow;
  readonly clientCredentials: ClientCredentialsOAuthFlow;
  readonly implicit: ImplicitOAuthFlow;
  readonly password: PasswordOAuthFlow;
  readonly deviceCode: DeviceCodeOAuthFlow;
}

/** At most one flow. */
export type OAuthFlows = Partial<OAuthFlowsByName>;

/** OAuth 2.0 (§4.5.4). */
export interface OAuth2SecurityScheme {
  readonly flows: OAuthFlows;
  readonly oauth2MetadataUrl?: string;
  readonly description?: string;
}

/** OpenID Connect (§4.5.5). */
export interface OpenIdConnectSecurityScheme {
  readonly openIdConnectUrl: string;
  readonly description?: string;
}

/** Mutual TLS (§4.5.6). */
export interface MutualTlsSecurityScheme {
  readonly description?: string;
}

/** The kinds of scheme by the member that carries them. */
export interface SecuritySchemesByName {
  readonly apiKeySecurityScheme: APIKeySecurityScheme;
  readonly httpAuthSecurityScheme: HTTPAuthSecurityScheme;
  readonly oauth2SecurityScheme: OAuth2SecurityScheme;
  readonly openIdConnectSecurityScheme: OpenIdConnectSecurityScheme;
  readonly mtlsSecurityScheme: MutualTlsSecurityScheme;
}

type ExactlyOne<T> = {
  [K in keyof T]: { readonly [P in K]: T[P] } & { readonly [P in Exclude<keyof T, K>]?: never };
}[keyof T];

/** One way to authenticate: exactly one member (§4.5.1). */
export type SecurityScheme = ExactlyOne<SecuritySchemesByName>;

/** The scopes required of one scheme. */
export interface StringList {
  readonly list?: readonly string[];
}

/** Schemes that are needed together; a list of requirements offers alternatives (§4.5). */
export interface SecurityRequirement {
  readonly schemes: Readonly<Record<string, StringList>>;
}

/** How many alternatives of a card an error names. */
const maxDescribed = 8;

/** The alternatives of a card in words: `"key" (an API key in the header X-Key), or "oidc" (…) and "tls" (…)`. */
export function describeRequirements(
  requirements: readonly SecurityRequirement[],
  schemes: Readonly<Record<string, SecurityScheme>>,
): string {
  const alternatives = requirements.slice(0, maxDescribed).map((requirement) =>
    Object.keys(requirement.schemes)
      .map((name) => `${JSON.stringify(name)} (${describeScheme(schemes[name])})`)
      .join(" and "),
  );
  return alternatives.filter((one) => one !== "").join(", or ");
}

function describeScheme(scheme: SecurityScheme | undefined): string {
  if (scheme === undefined) return "which the card does not describe";
  if (scheme.apiKeySecurityScheme) {
    const { location, name } = scheme.apiKeySecurityScheme;
    return `an API key in the ${location} ${name}`;
  }
  if (scheme.httpAuthSecurityScheme) return `HTTP ${scheme.httpAuthSecurityScheme.scheme}`;
  if (scheme.oauth2SecurityScheme) {
    return `OAuth 2.0 ${Object.keys(scheme.oauth2SecurityScheme.flows).join(", ")}`;
  }
  return scheme.openIdConnectSecurityScheme
    ? `OpenID Connect at ${scheme.openIdConnectSecurityScheme.openIdConnectUrl}`
    : "a client certificate";
}
