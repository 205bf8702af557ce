import type {
  AgentCard,
  JsonObject,
  JsonValue,
  OAuthFlows,
  SecurityScheme,
} from "../../protocol/internal.js";
import {
  array,
  implicit,
  isJsonObject,
  jsonValue,
  object,
  optional,
  string,
  text,
} from "../../protocol/parse/internal.js";
import type { Cursor } from "../../protocol/parse/internal.js";
import type { CardSecurity } from "./card-security.js";

interface Authentication {
  readonly schemes?: readonly string[];
  readonly credentials?: JsonValue;
  readonly type?: string;
  readonly scheme?: string;
  readonly description?: string;
}

const authenticationMembers = object<Authentication>({
  schemes: implicit(array(text)),
  credentials: optional(jsonValue),
  type: implicit(string),
  scheme: implicit(string),
  description: implicit(string),
});

/**
 * Decodes the `authentication` of a 0.1 card: `{"schemes":["Bearer"]}`, of which a caller needs any one,
 * or the single `{"type":"http","scheme":"bearer"}` that some peers write. Assumes what is usual where
 * the card lacks what the model needs.
 */
export function decodeCardAuthentication(value: unknown, cursor: Cursor): CardSecurity {
  const { schemes, credentials, type, scheme, description } = authenticationMembers(value, cursor);
  const details = readDetails(credentials);
  const single = type?.toLowerCase() === "http" ? scheme : (type ?? scheme);
  const names = schemes ?? (single === undefined ? [] : [single]);
  if (names.length === 0) return {};
  return {
    securitySchemes: Object.fromEntries(
      names.map((name) => [name, describeScheme(schemeNamed(name, details), description)]),
    ),
    securityRequirements: [...new Set(names)].map((name) => ({ schemes: { [name]: {} } })),
  };
}

/**
 * Encodes the names of the schemes that the card's requirements ask for. 0.1 has no place for which of
 * them belong together, or where to get keys and tokens; `credentials` is not for public values.
 */
export function encodeCardAuthentication(card: AgentCard): JsonObject | undefined {
  const { securitySchemes = {}, securityRequirements = [] } = card;
  const names = securityRequirements
    .flatMap(({ schemes }) => Object.keys(schemes))
    .filter((name) => Object.hasOwn(securitySchemes, name))
    .map((name) => nameOf(securitySchemes[name] as SecurityScheme));
  return names.length === 0 ? undefined : { schemes: [...new Set(names)] };
}

function nameOf(scheme: SecurityScheme): string {
  if (scheme.httpAuthSecurityScheme !== undefined) {
    const name = scheme.httpAuthSecurityScheme.scheme;
    return name.charAt(0).toUpperCase() + name.slice(1);
  }
  if (scheme.apiKeySecurityScheme !== undefined) return "ApiKey";
  if (scheme.oauth2SecurityScheme !== undefined) return "OAuth2";
  return scheme.openIdConnectSecurityScheme === undefined ? "MutualTLS" : "OpenIdConnect";
}

function schemeNamed(name: string, details: JsonObject): SecurityScheme {
  switch (name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")) {
    case "apikey":
      return {
        apiKeySecurityScheme: {
          location:
            details["in"] === "query" || details["in"] === "cookie" ? details["in"] : "header",
          name: usableText(details["name"]) ?? "X-API-Key",
        },
      };
    case "oauth2":
      return { oauth2SecurityScheme: { flows: flowOf(details) } };
    case "openidconnect": {
      const openIdConnectUrl = usableText(details["openIdConnectUrl"]);
      return openIdConnectUrl === undefined
        ? { httpAuthSecurityScheme: { scheme: "Bearer" } }
        : { openIdConnectSecurityScheme: { openIdConnectUrl } };
    }
    case "mutualtls":
      return { mtlsSecurityScheme: {} };
    default:
      return { httpAuthSecurityScheme: { scheme: name } };
  }
}

/** The OAuth flow that the URLs among the details allow. */
function flowOf(details: JsonObject): OAuthFlows {
  const authorizationUrl = usableText(details["authorizationUrl"]);
  const tokenUrl = usableText(details["tokenUrl"]);
  const refreshUrl = usableText(details["refreshUrl"]);
  const common = {
    ...(refreshUrl !== undefined && { refreshUrl }),
    scopes: scopesOf(details["scopes"]),
  };
  if (tokenUrl === undefined) {
    return authorizationUrl === undefined ? {} : { implicit: { authorizationUrl, ...common } };
  }
  return authorizationUrl === undefined
    ? { clientCredentials: { tokenUrl, ...common } }
    : { authorizationCode: { authorizationUrl, tokenUrl, ...common } };
}

function describeScheme(scheme: SecurityScheme, description: string | undefined): SecurityScheme {
  if (description === undefined) return scheme;
  const [[kind, members] = []] = Object.entries(scheme) as [string, object][];
  return { [kind ?? ""]: { ...members, description } } as unknown as SecurityScheme;
}

/** `credentials` may be JSON, often inside a string. Only members of known names are used. */
function readDetails(credentials: JsonValue | undefined): JsonObject {
  let details = credentials;
  if (typeof details === "string") {
    try {
      details = JSON.parse(details) as JsonValue;
    } catch {
      return {};
    }
  }
  return isJsonObject(details) ? details : {};
}

function usableText(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" && value.isWellFormed() ? value : undefined;
}

function scopesOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, about]) =>
      usableText(name) === undefined || name === "__proto__"
        ? []
        : [[name, usableText(about) ?? ""]],
    ),
  );
}
